/** Delivers each event to the listeners of its topic exactly once and in the order of `seq`, whichever source announces it. */
import type { SignalType } from "../../contract/events.ts";
import type { Database } from "../db/database.ts";
import type { EventLog, LoggedEvent } from "./log.ts";

export type Listener = (event: LoggedEvent) => void;

/** A signal to current listeners in this process only; never stored. */
export interface LocalSignal {
  topic: string;
  type: SignalType;
  data: Record<string, unknown>;
}
export type LocalSignalListener = (localSignal: LocalSignal) => void;

/** Notifies about events that other processes wrote. */
export interface NotificationSource {
  /** Resolves once no future commit can be missed. The first call starts the source. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}
export interface NotificationHandlers {
  /** Called when an event with this `seq` is in the topic's log. */
  onEventWritten(topic: string, seq: number): void;
  /** Called when notifications may have been missed. */
  onMissed(): void;
  /** Returns whether any topic has a listener. */
  hasListeners(): boolean;
}

export interface HubOptions {
  database: Database;
  events: EventLog;
  notificationSource(handlers: NotificationHandlers): NotificationSource;
  warn(error: unknown, message: string): void;
}

interface Topic {
  listeners: Map<Listener, LocalSignalListener | undefined>;
  /** The newest published `seq`; null: none published since the topic was joined. */
  publishedSeq: number | null;
  /** The `seq` after which reading starts while `publishedSeq` is null. */
  readFrom: number;
  /** The newest `seq` known to be in the log. */
  newestSeq: number;
  isReading: boolean;
}

const PAGE_SIZE = 200;
const TOPICS_PER_QUERY = 500;
const RETRY_MS = 500;

export type Hub = ReturnType<typeof createHub>;

export function createHub({ database, events, notificationSource, warn }: HubOptions) {
  const topics = new Map<string, Topic>();
  const missedListeners = new Set<() => void>();
  let isClosed = false;

  function publish(name: string, topic: Topic, event: LoggedEvent): void {
    topic.publishedSeq = event.seq;
    for (const listener of topic.listeners.keys()) {
      try {
        listener(event);
      } catch (error) {
        // An error in one listener must not affect the writer or the other listeners.
        warn(error, `a listener of ${name} failed`);
      }
    }
  }

  async function readNewEvents(name: string, topic: Topic): Promise<void> {
    topic.isReading = true;
    try {
      while (!isClosed && topics.get(name) === topic && (topic.publishedSeq ?? topic.readFrom) < topic.newestSeq) {
        const page = await events.after(database.read, name, topic.publishedSeq ?? topic.readFrom, PAGE_SIZE);
        // A restored backup may contain fewer events than were announced.
        if (page.length === 0) topic.newestSeq = topic.publishedSeq ?? topic.readFrom;
        for (const event of page) if (event.seq > (topic.publishedSeq ?? topic.readFrom)) publish(name, topic, event);
      }
    } catch (error) {
      warn(error, `the events of ${name} could not be read`);
      setTimeout(() => onEventWritten(name, topic.newestSeq), RETRY_MS).unref();
    } finally {
      topic.isReading = false;
    }
  }

  function onEventWritten(name: string, seq: number): void {
    const topic = topics.get(name);
    if (!topic || isClosed || seq <= (topic.publishedSeq ?? 0)) return;
    if (topic.publishedSeq === null && !topic.isReading) topic.readFrom = seq - 1;
    topic.newestSeq = Math.max(topic.newestSeq, seq);
    if (!topic.isReading) void readNewEvents(name, topic);
  }

  events.onCommit((event) => {
    const topic = topics.get(event.topic);
    if (!topic || isClosed || event.seq <= (topic.publishedSeq ?? 0)) return;
    // On PostgreSQL, commits of one process can be reported out of order and other processes write in between.
    if (topic.isReading || (topic.publishedSeq !== null && event.seq !== topic.publishedSeq + 1)) onEventWritten(event.topic, event.seq);
    else publish(event.topic, topic, event);
  });

  /** Calls `onNewestSeq` with the newest `seq` in the log of each topic. */
  async function forEachNewestSeq(names: string[], onNewestSeq: (name: string, newestSeq: number) => void): Promise<void> {
    for (let offset = 0; offset < names.length; offset += TOPICS_PER_QUERY) {
      const page = names.slice(offset, offset + TOPICS_PER_QUERY);
      for (const [name, newestSeq] of await events.loadNewestSeqs(database.read, page)) onNewestSeq(name, newestSeq);
    }
  }

  const resync = () =>
    forEachNewestSeq(
      [...topics].filter(([, topic]) => topic.publishedSeq !== null).map(([name]) => name),
      onEventWritten,
    );

  function startFrom(name: string, seq: number): void {
    const topic = topics.get(name);
    if (topic && topic.publishedSeq === null && !topic.isReading) topic.publishedSeq = seq;
  }

  const source = notificationSource({
    onEventWritten,
    hasListeners: () => topics.size > 0,
    onMissed() {
      if (isClosed) return;
      for (const listener of missedListeners) listener();
      resync().catch((error: unknown) => {
        warn(error, "the events could not be compared");
        setTimeout(() => void resync().catch((retryError: unknown) => warn(retryError, "the events could not be compared")), RETRY_MS).unref();
      });
    },
  });

  return {
    /** Resolves once no event of another process can be missed. */
    ready: () => source.ready(),
    join(name: string, listener: Listener, onLocalSignal?: LocalSignalListener): void {
      let topic = topics.get(name);
      if (!topic) topics.set(name, (topic = { listeners: new Map(), publishedSeq: null, readFrom: 0, newestSeq: 0, isReading: false }));
      topic.listeners.set(listener, onLocalSignal);
    },
    leave(name: string, listener: Listener): void {
      const topic = topics.get(name);
      topic?.listeners.delete(listener);
      if (topic?.listeners.size === 0) topics.delete(name);
    },
    sendLocalSignal(signal: LocalSignal): void {
      for (const onLocalSignal of topics.get(signal.topic)?.listeners.values() ?? []) onLocalSignal?.(signal);
    },
    /** Returns the newest published `seq` of a joined topic, or 0 if none was published. */
    publishedSeq: (name: string): number => topics.get(name)?.publishedSeq ?? 0,
    /** Sets the start position of a topic that has published nothing yet, because its log was read up to `seq`: every later event is published. */
    startFrom,
    /** Calls `startFrom` for many topics at once, with the newest `seq` in the log. */
    startFromNewest: (names: string[]): Promise<void> =>
      forEachNewestSeq(
        names.filter((name) => topics.get(name)?.publishedSeq === null),
        startFrom,
      ),
    /** Returns the events in the log after `since`, oldest first. */
    after: (name: string, since: number, limit: number): Promise<LoggedEvent[]> => events.after(database.read, name, since, limit),
    /** Returns the newest `seq` in the log, or 0 for an empty topic. */
    loadNewestSeq: async (name: string): Promise<number> => (await events.loadNewestSeqs(database.read, [name])).get(name) ?? 0,
    /** Registers a listener that is called when events may be delayed, so that it reloads what it derives from events. */
    onMissedEvents: (listener: () => void) => void missedListeners.add(listener),
    async close(): Promise<void> {
      isClosed = true;
      topics.clear();
      await source.stop();
    },
  };
}
