/** Hands each event to whoever follows its topic: once, in the order of `seq`, no matter by which way it became known. */
import type { Database } from "../db/database.ts";
import type { EventLog, LoggedEvent } from "./log.ts";

export type Listener = (event: LoggedEvent) => void;

/** Said to whoever listens at this moment, in this process; stored nowhere. */
export interface Hint {
  topic: string;
  type: string;
  data: Record<string, unknown>;
}
export type HintListener = (hint: Hint) => void;

/** Tells of events that other processes wrote. */
export interface Neighbours {
  /** Resolves once nothing that is committed from now on can be missed; starts on the first call. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}
export interface NeighbourNews {
  /** An event of this topic with this `seq` is in the log. */
  written(topic: string, seq: number): void;
  /** Something may have been missed. */
  doubt(): void;
  /** Whether anybody listens at all. */
  isWanted(): boolean;
}

export interface HubOptions {
  database: Database;
  events: EventLog;
  neighbours(news: NeighbourNews): Neighbours;
  warn(error: unknown, message: string): void;
}

interface Topic {
  listeners: Map<Listener, HintListener | undefined>;
  /** The newest `seq` that was handed out; null: none since somebody listens. */
  head: number | null;
  /** Where reading starts while `head` is null. */
  from: number;
  /** The newest `seq` that is known to be in the log. */
  known: number;
  reading: boolean;
}

const PAGE = 200;
const TOPICS_PER_QUERY = 500;
const RETRY_MS = 500;

export type Hub = ReturnType<typeof createHub>;

export function createHub({ database, events, neighbours, warn }: HubOptions) {
  const topics = new Map<string, Topic>();
  const doubters = new Set<() => void>();
  let closed = false;

  function publish(name: string, topic: Topic, event: LoggedEvent): void {
    topic.head = event.seq;
    for (const listener of topic.listeners.keys()) {
      try {
        listener(event);
      } catch (error) {
        // One listener's fault must not become the writer's, nor the next listener's.
        warn(error, `a listener of ${name} failed`);
      }
    }
  }

  async function readOn(name: string, topic: Topic): Promise<void> {
    topic.reading = true;
    try {
      while (!closed && topics.get(name) === topic && (topic.head ?? topic.from) < topic.known) {
        const page = await events.after(database.read, name, topic.head ?? topic.from, PAGE);
        // A copy that was put back may hold less than was announced.
        if (page.length === 0) topic.known = topic.head ?? topic.from;
        for (const event of page) if (event.seq > (topic.head ?? topic.from)) publish(name, topic, event);
      }
    } catch (error) {
      warn(error, `the events of ${name} could not be read`);
      setTimeout(() => written(name, topic.known), RETRY_MS).unref();
    } finally {
      topic.reading = false;
    }
  }

  function written(name: string, seq: number): void {
    const topic = topics.get(name);
    if (!topic || closed || seq <= (topic.head ?? 0)) return;
    if (topic.head === null && !topic.reading) topic.from = seq - 1;
    topic.known = Math.max(topic.known, seq);
    if (!topic.reading) void readOn(name, topic);
  }

  events.onCommit((event) => {
    const topic = topics.get(event.topic);
    if (!topic || closed || event.seq <= (topic.head ?? 0)) return;
    // Commits of one process can be told out of turn on PostgreSQL, and other processes write in between.
    if (topic.reading || (topic.head !== null && event.seq !== topic.head + 1)) written(event.topic, event.seq);
    else publish(event.topic, topic, event);
  });

  async function compare(names: string[], take: (name: string, newest: number) => void): Promise<void> {
    for (let at = 0; at < names.length; at += TOPICS_PER_QUERY) {
      for (const [name, newest] of await events.heads(database.read, names.slice(at, at + TOPICS_PER_QUERY))) take(name, newest);
    }
  }

  const resync = () =>
    compare(
      [...topics].filter(([, topic]) => topic.head !== null).map(([name]) => name),
      written,
    );

  function reached(name: string, seq: number): void {
    const topic = topics.get(name);
    if (topic && topic.head === null && !topic.reading) topic.head = seq;
  }

  const abroad = neighbours({
    written,
    isWanted: () => topics.size > 0,
    doubt() {
      if (closed) return;
      for (const listener of doubters) listener();
      resync().catch((error: unknown) => {
        warn(error, "the events could not be compared");
        setTimeout(() => void resync().catch((again: unknown) => warn(again, "the events could not be compared")), RETRY_MS).unref();
      });
    },
  });

  return {
    /** Resolves once no event of other processes can be missed any more. */
    ready: () => abroad.ready(),
    join(name: string, listener: Listener, hinted?: HintListener): void {
      let topic = topics.get(name);
      if (!topic) topics.set(name, (topic = { listeners: new Map(), head: null, from: 0, known: 0, reading: false }));
      topic.listeners.set(listener, hinted);
    },
    leave(name: string, listener: Listener): void {
      const topic = topics.get(name);
      topic?.listeners.delete(listener);
      if (topic?.listeners.size === 0) topics.delete(name);
    },
    hint(hint: Hint): void {
      for (const hinted of topics.get(hint.topic)?.listeners.values() ?? []) hinted?.(hint);
    },
    /** The newest `seq` handed out of a followed topic; 0 where none was. */
    head: (name: string): number => topics.get(name)?.head ?? 0,
    /** A follower has read the log up to `seq`: from there on nothing may be left out. */
    reached,
    /** The same for many at once, up to what is in the log now. */
    anchor: (names: string[]): Promise<void> =>
      compare(
        names.filter((name) => topics.get(name)?.head === null),
        reached,
      ),
    after: (name: string, since: number, limit: number): Promise<LoggedEvent[]> => events.after(database.read, name, since, limit),
    newest: async (name: string): Promise<number> => (await events.heads(database.read, [name])).get(name) ?? 0,
    /** Called when events may have come late: what was concluded from them has to be looked at again. */
    onDoubt: (listener: () => void) => void doubters.add(listener),
    async close(): Promise<void> {
      closed = true;
      topics.clear();
      await abroad.stop();
    },
  };
}
