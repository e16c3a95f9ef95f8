/** What the live channel needs of the rest of the service; the composition root hands it in. */
import type { Actor } from "../../domain/access.ts";
import type { Visibility } from "../../domain/sight.ts";
import type { Signals } from "../../events/words.ts";

export interface LiveEvent {
  topic: string;
  seq: number;
  type: string;
  /** JSON text. */
  data: string;
  /** Epoch milliseconds. */
  createdAt: number;
}
export type Listener = (liveEvent: LiveEvent) => void;
/** What is said to whoever listens at this moment. */
export interface LocalSignal {
  topic: string;
  type: string;
  data: Record<string, unknown>;
}

/** Committed events by topic, each once and in the order of `seq`. */
export interface LiveEventSource {
  /** Resolves once no event can be missed any more, whoever wrote it. */
  ready(): Promise<void>;
  join(topic: string, listener: Listener, onLocalSignal: (localSignal: LocalSignal) => void): void;
  leave(topic: string, listener: Listener): void;
  /** From the newest events of these joined topics on, nothing will be left out. */
  syncHeads(topics: string[]): Promise<void>;
  /** The newest `seq` handed out of a joined topic; 0 where none was. */
  head(topic: string): number;
  /** The log was read up to `seq`: what follows it has to be handed out. */
  reached(topic: string, seq: number): void;
  /** Events in the log after `since`, oldest first. */
  after(topic: string, since: number, limit: number): Promise<LiveEvent[]>;
  /** The newest `seq` in the log; 0 for none. */
  newest(topic: string): Promise<number>;
  /** Called when events may have come late. */
  onMissedEvents(listener: () => void): void;
}

/** Rights as they stand now. */
export interface Rights {
  /** null: the authorization has ended. */
  reauthenticate(actor: Pick<Actor, "sessionId" | "tokenId">): Promise<Actor | null>;
  loadVisibility(actor: Actor): Promise<Visibility>;
  /** Whether this project is among what the actor sees. */
  canSeeProject(actor: Actor, projectId: number): Promise<boolean>;
}

export interface LiveDeps {
  eventSource: LiveEventSource;
  signals: Pick<Signals, "emit" | "onSignal">;
  rights: Rights;
  warn(error: unknown, message: string): void;
}
