/** The durable event log: written in the transaction of the change, with a gapless `seq` per topic, and published after the commit. */
import { sql } from "kysely";
import type { EventData, EventType } from "../../contract/events.ts";
import type { Database } from "../db/database.ts";
import { afterCommit } from "../db/transaction.ts";
import { givenRows, lockTopics } from "../db/engine-sql.ts";
import { prepareStatement } from "../db/prepared.ts";
import type { Db, Tx } from "../db/schema.ts";
import { untilNextCommit } from "../db/until-commit.ts";
import { newPublicId } from "../lib/crypto.ts";
import { currentCaller } from "../lib/current-caller.ts";
import { recordAgentActions } from "./agent-actions.ts";
import { assertNotArchived } from "./archived-projects.ts";
import { beforeFirstEvent } from "./before-first-event.ts";
import { createEndOfTransaction, type AddAtEnd } from "./end-of-transaction.ts";

export interface LoggedEvent {
  topic: string;
  seq: number;
  type: string;
  /** JSON text, as stored. */
  data: string;
  createdAt: number;
}

/** The messages or the comment whose text `data` contains. */
export type TextOwners = { messageId: number; quotedId: number | null } | { commentId: number };
/** The columns of a stored event that say whose text is in it. */
export const ownerColumns = (textOwners: TextOwners | undefined) => ({
  message_id: textOwners && "messageId" in textOwners ? textOwners.messageId : null,
  quoted_id: textOwners && "messageId" in textOwners ? textOwners.quotedId : null,
  comment_id: textOwners && "commentId" in textOwners ? textOwners.commentId : null,
});

/** An event for `appendMany`, in which no text of a message or comment is. */
export type NewEvent = { [T in EventType]: { topic: string; type: T; data: EventData<T> } }[EventType];

export interface EventLog {
  /** Identifies this log's writes among those of other processes. */
  readonly origin: string;
  /** Serializes the writers of these topics. Call it before generating ids that must be in the same order as `seq`, and before changing the projects' rows. */
  lock(tx: Tx, ...topics: string[]): Promise<void>;
  /** Appends an event with the topic's next `seq`. Listeners receive it after the commit, never after a rollback. */
  append<T extends EventType>(tx: Tx, topic: string, type: T, data: EventData<T>, textOwners?: TextOwners): Promise<number>;
  /** The same for any number of events and topics, with as many statements as for one. Locks the topics in one order. */
  appendMany(tx: Tx, newEvents: readonly NewEvent[]): Promise<void>;
  /** Runs `work` at the end of the transaction, once these topics are locked. All that concerns several accounts runs there, so that transactions never deadlock. */
  atEnd: AddAtEnd;
  /** Appends the event to the topics of these accounts at the end of the transaction. */
  appendToAccounts<T extends EventType>(tx: Tx, accountIds: readonly number[], type: T, data: EventData<T>): void;
  /** Returns events of a topic after `since`, oldest first: at most `limit`, and none after the one that reaches `EVENT_BATCH_BYTES`. */
  after(db: Db, topic: string, since: number, limit: number): Promise<LoggedEvent[]>;
  /** Returns the newest `seq` of each topic; 0 for an empty topic. */
  loadNewestSeqs(db: Db, topics: string[]): Promise<Map<string, number>>;
  /** Registers a listener for events committed by this process, in order per topic. */
  onCommit(listener: (event: LoggedEvent) => void): void;
}

/** Bytes of data after which a batch of events ends. */
export const EVENT_BATCH_BYTES = 1_000_000;

/** True if a batch that was read with this limit may not be the last one: either bound has cut it. */
export const mayBeCut = (events: readonly LoggedEvent[], limit: number): boolean =>
  events.length >= limit || events.reduce((bytes, { data }) => bytes + Buffer.byteLength(data), 0) >= EVENT_BATCH_BYTES;

/** PostgreSQL channel that announces each event as `<topic> <seq> <origin>`. */
export const EVENTS_CHANNEL = "talkback_events";

export const topicOf = {
  project: (id: number) => `project:${id}`,
  organisation: (id: number) => `organisation:${id}`,
  account: (id: number) => `account:${id}`,
};

const advanceTopic = prepareStatement<{ topic: string }, { seq: number }>((db, { topic }) =>
  db
    .insertInto("topics")
    .values({ topic, seq: 1 })
    .onConflict((conflict) => conflict.column("topic").doUpdateSet({ seq: sql`topics.seq + 1` }))
    .returning("seq"),
);

const insertEvent = prepareStatement<LoggedEvent & { accountId: number | null } & ReturnType<typeof ownerColumns>, unknown>((db, event) =>
  db.insertInto("events").values({
    topic: event.topic,
    seq: event.seq,
    type: event.type,
    data: event.data,
    created_at: event.createdAt,
    account_id: event.accountId,
    message_id: event.message_id,
    quoted_id: event.quoted_id,
    comment_id: event.comment_id,
  }),
);

export function createEventLog(database: Database, clock: { now(): number }): EventLog {
  const listeners: ((event: LoggedEvent) => void)[] = [];
  const origin = newPublicId();
  const announcedProjects = new WeakMap<Tx, Set<number>>();
  const atEnd = createEndOfTransaction((tx, topics) => lockTopics(tx, database.engine, topics));

  /** Announces events to other processes and, after the commit, to the listeners. */
  async function announce(tx: Tx, logged: readonly LoggedEvent[]): Promise<void> {
    const payloads = logged.map(({ topic, seq }) => `${topic} ${seq} ${origin}`);
    if (database.engine === "postgres") await sql`select pg_notify(${EVENTS_CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`.execute(tx);
    afterCommit(() => {
      for (const event of logged) for (const listener of listeners) listener(event);
    });
  }

  /** Records what an agent does, and announces it once per transaction and project to pages that show its log. */
  async function recordActions(tx: Tx, logged: readonly LoggedEvent[]): Promise<void> {
    const recorded = await recordAgentActions(tx, clock.now(), logged);
    if (!recorded) return;
    const announced = announcedProjects.get(tx) ?? new Set<number>();
    announcedProjects.set(tx, announced);
    for (const project_id of recorded.projectIds) {
      if (announced.has(project_id)) continue;
      announced.add(project_id);
      const topic = topicOf.project(project_id);
      atEnd(tx, [topic], () => appendMany(tx, [{ topic, type: "agent_actions.changed", data: { project_id, agent_id: recorded.agentId } }]));
    }
  }

  async function appendMany(tx: Tx, newEvents: readonly NewEvent[]): Promise<void> {
    if (newEvents.length === 0) return;
    await beforeFirstEvent(tx);
    const countOf = new Map<string, number>();
    for (const { topic } of newEvents) countOf.set(topic, (countOf.get(topic) ?? 0) + 1);
    const counts = [...countOf].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([topic, count]) => ({ topic, count }));
    const { rows } = await sql<{ topic: string; seq: number }>`insert into topics (topic, seq)
      select topic, count from ${givenRows(database.engine, counts, { topic: "text", count: "bigint" })} where true
      on conflict (topic) do update set seq = topics.seq + excluded.seq returning topic, seq`.execute(tx);
    const lastOf = new Map(rows.map(({ topic, seq }) => [topic, seq - (countOf.get(topic) ?? 0)]));
    const createdAt = clock.now();
    const logged = newEvents.map(({ topic, type, data }): LoggedEvent => {
      const seq = (lastOf.get(topic) ?? 0) + 1;
      lastOf.set(topic, seq);
      return { topic, seq, type, data: JSON.stringify(data), createdAt };
    });
    const accountId = currentCaller()?.accountId ?? null;
    const given = givenRows(database.engine, logged, { topic: "text", seq: "bigint", type: "text", data: "text", createdAt: "bigint" });
    await sql`insert into events (topic, seq, type, data, created_at, account_id)
      select topic, seq, type, data, ${sql.ref("createdAt")}, cast(${accountId} as bigint) from ${given}`.execute(tx);
    await assertNotArchived(tx, logged);
    await announce(tx, logged);
    await recordActions(tx, logged);
  }

  return {
    origin,
    lock: (tx, ...topics) => lockTopics(tx, database.engine, topics),
    appendMany,
    atEnd,
    appendToAccounts(tx, accountIds, type, data) {
      const topics = [...new Set(accountIds)].map(topicOf.account);
      // The types of the union cannot be followed through a type parameter.
      atEnd(tx, topics, () =>
        appendMany(
          tx,
          topics.map((topic) => ({ topic, type, data }) as NewEvent),
        ),
      );
    },
    async append(tx, topic, type, data, textOwners) {
      await beforeFirstEvent(tx);
      const [advanced] = await advanceTopic(tx, { topic });
      const seq = advanced!.seq;
      const event: LoggedEvent = { topic, seq, type, data: JSON.stringify(data), createdAt: clock.now() };
      await insertEvent(tx, { ...event, accountId: currentCaller()?.accountId ?? null, ...ownerColumns(textOwners) });
      await assertNotArchived(tx, [event]);
      await announce(tx, [event]);
      await recordActions(tx, [event]);
      return seq;
    },
    async after(db, topic, since, limit) {
      const batch = db
        .selectFrom("events")
        .select(["seq", sql<number>`octet_length(data)`.as("bytes")])
        .where("topic", "=", topic)
        .where("seq", ">", since)
        .orderBy("seq")
        .limit(limit);
      const sizes = db.selectFrom(batch.as("batch")).select(["seq", sql<number>`sum(bytes) over (order by seq) - bytes`.as("bytes_before")]);
      return db
        .selectFrom("events")
        .select(["topic", "seq", "type", "data", "created_at as createdAt"])
        .where("topic", "=", topic)
        .where("seq", ">", since)
        .where("seq", "<=", (query) =>
          query
            .selectFrom(sizes.as("sizes"))
            .select(({ fn }) => fn.max("seq").as("last"))
            .where("bytes_before", "<", EVENT_BATCH_BYTES),
        )
        .orderBy("seq")
        .execute();
    },
    async loadNewestSeqs(db, topics) {
      const newestSeqs = new Map(topics.map((topic) => [topic, 0]));
      if (topics.length === 0) return newestSeqs;
      const rows = await untilNextCommit(db, `seq ${topics.join(" ")}`, () => db.selectFrom("topics").selectAll().where("topic", "in", topics).execute());
      for (const { topic, seq } of rows) newestSeqs.set(topic, seq);
      return newestSeqs;
    },
    onCommit: (listener) => void listeners.push(listener),
  };
}
