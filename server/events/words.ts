/** What is said to whoever has a project open at this moment: stored nowhere, lost without harm, heard by every process on PostgreSQL. */
import { sql } from "kysely";
import * as z from "zod/mini";
import { readerMoved, typing } from "../../contract/events.ts";
import { id } from "../../contract/text.ts";
import type { Database } from "../db/database.ts";

export interface Word {
  type: "typing" | "reader.moved";
  projectId: number;
  /** Who it is about, and so is not told. */
  accountId: number;
  data: Record<string, unknown>;
}

export interface Words {
  /** Not for use inside a transaction. */
  say(word: Word): void;
  onWord(listener: (word: Word) => void): void;
  /** An announcement that arrived on `WORDS_CHANNEL`. */
  heard(payload: string | undefined): void;
}

export const WORDS_CHANNEL = "talkback_words";

/** `origin`: what this process calls itself, so that it does not hear itself twice. */
export function createWords(database: Pick<Database, "engine" | "read">, origin: string): Words {
  const listeners: ((word: Word) => void)[] = [];
  const tell = (word: Word) => {
    for (const listener of listeners) listener(word);
  };
  return {
    say(word) {
      tell(word);
      if (database.engine !== "postgres") return;
      sql`select pg_notify(${WORDS_CHANNEL}, ${JSON.stringify({ origin, word })})`.execute(database.read).catch(() => {
        // Nobody misses it: it would have been true for seconds.
      });
    },
    onWord: (listener) => void listeners.push(listener),
    heard(payload) {
      const word = wordIn(payload, origin);
      if (word) tell(word);
    },
  };
}

const DATA = { typing, "reader.moved": readerMoved };
const announcement = z.object({
  origin: z.string(),
  word: z.object({ type: z.enum(["typing", "reader.moved"]), projectId: id, accountId: id, data: z.record(z.string(), z.unknown()) }),
});

/** null where it is our own, or not of our kind: whoever may use the database may announce anything. */
function wordIn(payload: string | undefined, own: string): Word | null {
  let value: unknown;
  try {
    value = JSON.parse(payload ?? "");
  } catch {
    return null;
  }
  const { success, data } = announcement.safeParse(value);
  return success && data.origin !== own && DATA[data.word.type].safeParse(data.word.data).success ? data.word : null;
}
