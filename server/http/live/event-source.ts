/** Dependencies of the live channel on the rest of the service, provided by the composition root. */
import type { Actor } from "../../access/access.ts";
import type { Visibility } from "../../access/visibility.ts";
import type { Signals } from "../../events/signals.ts";

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
/** A signal to current listeners only. */
export interface LocalSignal {
  topic: string;
  type: string;
  data: Record<string, unknown>;
}

/** Committed events by topic, each exactly once and in the order of `seq`. */
export interface LiveEventSource {
  /** Resolves once no event can be missed, whichever process writes it. */
  ready(): Promise<void>;
  join(topic: string, listener: Listener, onLocalSignal: (localSignal: LocalSignal) => void): void;
  leave(topic: string, listener: Listener): void;
  /** Sets the start position of these joined topics to their newest events, so that every later event is published. */
  syncHeads(topics: string[]): Promise<void>;
  /** Returns the newest published `seq` of a joined topic, or 0 if none was published. */
  head(topic: string): number;
  /** Sets the start position of a topic that has published nothing yet, because its log was read up to `seq`: every later event is published. */
  reached(topic: string, seq: number): void;
  /** Returns the events in the log after `since`, oldest first. */
  after(topic: string, since: number, limit: number): Promise<LiveEvent[]>;
  /** Returns the newest `seq` in the log, or 0 for an empty topic. */
  newest(topic: string): Promise<number>;
  /** Registers a listener that is called when events may have been delayed. */
  onMissedEvents(listener: () => void): void;
}

/** Looks up current permissions. */
export interface Rights {
  /** Returns the actor with its current role and scopes, or null if the authorization has ended. */
  reauthenticate(actor: Pick<Actor, "sessionId" | "tokenId">): Promise<Actor | null>;
  loadVisibility(actor: Actor): Promise<Visibility>;
  /** Returns whether the actor can see this project. */
  canSeeProject(actor: Actor, projectId: number): Promise<boolean>;
}

export interface LiveDeps {
  eventSource: LiveEventSource;
  signals: Pick<Signals, "emit" | "onSignal">;
  rights: Rights;
  warn(error: unknown, message: string): void;
}
