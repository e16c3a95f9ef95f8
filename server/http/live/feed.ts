/** What the live channel needs of the rest of the service; the composition root hands it in. */
import type { Actor } from "../../domain/access.ts";
import type { Sight } from "../../domain/sight.ts";
import type { Words } from "../../events/words.ts";

export interface Happening {
  topic: string;
  seq: number;
  type: string;
  /** JSON text. */
  data: string;
  /** Epoch milliseconds. */
  createdAt: number;
}
export type Listener = (happening: Happening) => void;
/** What is said to whoever listens at this moment. */
export interface Hint {
  topic: string;
  type: string;
  data: Record<string, unknown>;
}

/** Committed events by topic, each once and in the order of `seq`. */
export interface Feed {
  /** Resolves once no event can be missed any more, whoever wrote it. */
  ready(): Promise<void>;
  join(topic: string, listener: Listener, hinted: (hint: Hint) => void): void;
  leave(topic: string, listener: Listener): void;
  /** From the newest events of these joined topics on, nothing will be left out. */
  anchor(topics: string[]): Promise<void>;
  /** The newest `seq` handed out of a joined topic; 0 where none was. */
  head(topic: string): number;
  /** The log was read up to `seq`: what follows it has to be handed out. */
  reached(topic: string, seq: number): void;
  /** Events in the log after `since`, oldest first. */
  after(topic: string, since: number, limit: number): Promise<Happening[]>;
  /** The newest `seq` in the log; 0 for none. */
  newest(topic: string): Promise<number>;
  /** Called when events may have come late. */
  onDoubt(listener: () => void): void;
}

/** Rights as they stand now. */
export interface Rights {
  /** null: the authorization has ended. */
  again(actor: Pick<Actor, "sessionId" | "tokenId">): Promise<Actor | null>;
  sight(actor: Actor): Promise<Sight>;
  /** Whether this project is among what the actor sees. */
  sees(actor: Actor, projectId: number): Promise<boolean>;
}

export interface LiveDeps {
  feed: Feed;
  words: Pick<Words, "say" | "onWord">;
  rights: Rights;
  warn(error: unknown, message: string): void;
}
