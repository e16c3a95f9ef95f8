/** Other processes on one PostgreSQL: their commits arrive by LISTEN, on a connection that is made again whenever it breaks. */
import type { Client } from "pg";
import type { Database } from "../db/database.ts";
import { SECOND } from "../lib/clock.ts";
import type { NeighbourNews, Neighbours } from "./hub.ts";
import { POSTGRES_CHANNEL } from "./log.ts";
import { WORDS_CHANNEL } from "./words.ts";

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5 * SECOND;
/** A connection that a firewall forgot looks idle for ever, so it is asked now and then. */
const PROBE_MS = 30 * SECOND;
const PROBE_ANSWER_MS = 10 * SECOND;
/** Own commits are handed out directly; the announcement only catches one whose answer was lost on the way. */
const OWN_GRACE_MS = 250;

export interface PostgresNeighboursOptions {
  database: Pick<Database, "connect">;
  /** Announcements of this origin are our own. */
  origin: string;
  /** What was said in passing, in another process or in this one; for who cares. */
  said?(payload: string | undefined): void;
  warn(error: unknown, message: string): void;
}

export function followPostgres({ database, origin, said, warn }: PostgresNeighboursOptions, news: NeighbourNews): Neighbours {
  let stopped = false;
  let client: Client | null = null;
  let listening: { promise: Promise<void>; resolve(): void } | null = null;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  const own = new Map<string, number>();
  let ownTimer: NodeJS.Timeout | undefined;

  function heard(payload: string | undefined): void {
    const [topic, seq, from] = (payload ?? "").split(" ");
    if (!topic || !Number.isSafeInteger(Number(seq))) return;
    if (from !== origin) return news.written(topic, Number(seq));
    own.set(topic, Number(seq));
    ownTimer ??= setTimeout(() => {
      ownTimer = undefined;
      const told = [...own];
      own.clear();
      for (const [name, at] of told) news.written(name, at);
    }, OWN_GRACE_MS).unref();
  }

  function lost(broken: Client, error: unknown): void {
    if (client !== broken || stopped) return;
    client = null;
    clearTimeout(timer);
    failures += 1;
    if (failures === 1) warn(error, "the connection that listens for events broke; it is made again");
    broken.end().catch(() => {});
    timer = setTimeout(() => void connect(), Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10), LONGEST_RETRY_MS));
  }

  async function probe(asked: Client): Promise<void> {
    const late = setTimeout(() => lost(asked, new Error("no answer")), PROBE_ANSWER_MS);
    try {
      await asked.query("select 1");
      if (client === asked) timer = setTimeout(() => void probe(asked), PROBE_MS).unref();
    } catch (error) {
      lost(asked, error);
    } finally {
      clearTimeout(late);
    }
  }

  async function connect(): Promise<void> {
    if (stopped) return;
    const next = database.connect();
    client = next;
    next.on("error", (error) => lost(next, error));
    next.on("end", () => lost(next, new Error("closed by the server")));
    next.on("notification", ({ channel, payload }) => (channel === WORDS_CHANNEL ? said?.(payload) : heard(payload)));
    try {
      await next.connect();
      await next.query(`listen ${POSTGRES_CHANNEL}; listen ${WORDS_CHANNEL}`);
    } catch (error) {
      return lost(next, error);
    }
    if (client !== next) return;
    failures = 0;
    listening?.resolve();
    // What was committed while nobody listened is in the log.
    news.doubt();
    timer = setTimeout(() => void probe(next), PROBE_MS).unref();
  }

  return {
    ready() {
      if (!listening) {
        listening = Promise.withResolvers<void>();
        void connect();
      }
      return listening.promise;
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      clearTimeout(ownTimer);
      listening?.resolve();
      await client?.end().catch(() => {});
    },
  };
}
