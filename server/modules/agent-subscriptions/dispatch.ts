/**
 * Turns events of projects into deliveries for agents. The cursor moves in the transaction that stores the deliveries, so that a crash loses no event and
 * stores none twice. Events of the time in which an agent or a subscription is paused are passed over.
 */
import { randomUUID } from "node:crypto";
import { AGENT_EVENT } from "../../../contract/agent-subscription-records.ts";
import type { LiveEvent } from "../../../contract/events.ts";
import type { Database } from "../../db/database.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { NewRow, Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import type { Clock } from "../../lib/clock.ts";
import { iso } from "../../lib/iso-time.ts";
import { findJoinedProjects, findUnread, startCursorOfJoined, type ProjectOfSubscription } from "./cursors.ts";
import { loadReach } from "./reach.ts";
import type { Subscription } from "./repository.ts";
import { parseTypes } from "../webhooks/stored-lists.ts";

/** Events that one transaction reads. */
const BATCH_SIZE = 50;
/** Projects that one transaction adds. */
const JOINED_BATCH_SIZE = 100;

export type DispatchDeps = { database: Database; clock: Pick<Clock, "now"> };

export function createDispatcher({ database, clock }: DispatchDeps) {
  async function addJoinedProjects(): Promise<void> {
    for (;;) {
      const found = await findJoinedProjects(database.read, JOINED_BATCH_SIZE);
      if (found.length > 0)
        await database.write(async (tx) => {
          for (const { joinedAt, ...project } of found) await startCursorOfJoined(tx, project, joinedAt);
        });
      if (found.length < JOINED_BATCH_SIZE) return;
    }
  }

  async function loadSubscription(tx: Tx, id: number): Promise<Subscription | null> {
    const query = tx.selectFrom("webhook_endpoints").selectAll().where("id", "=", id).where("deleted_at", "is", null);
    // The share lock makes concurrent pausing, deleting or editing visible either fully or not at all.
    const row = await lockRows(query, database.engine, "share").executeTakeFirst();
    return row && row.agent_id !== null ? { ...row, agent_id: row.agent_id } : null;
  }

  /** Stores the deliveries of the next events, and returns whether there may be more. */
  const dispatchBatch = ({ endpointId, projectId }: ProjectOfSubscription): Promise<boolean> =>
    database.write(async (tx) => {
      // The endpoint comes first, as in changes of the subscription, which delete cursors.
      const subscription = await loadSubscription(tx, endpointId);
      const cursorQuery = tx.selectFrom("agent_subscription_cursors").selectAll().where("endpoint_id", "=", endpointId).where("project_id", "=", projectId);
      // Another process may be at it.
      const cursor = await lockRows(cursorQuery, database.engine, "skipLocked").executeTakeFirst();
      if (!subscription || !cursor) return false;
      const topic = topicOf.project(projectId);
      const batch = await tx
        .selectFrom("events")
        .selectAll()
        .where("topic", "=", topic)
        .where("seq", ">", cursor.seq)
        .orderBy("seq")
        .limit(BATCH_SIZE)
        .execute();
      const newest = batch.at(-1);
      if (!newest) return false;
      await store(tx, subscription, projectId, await selectForAgent(tx, subscription, projectId, batch));
      await tx
        .updateTable("agent_subscription_cursors")
        .set({ seq: newest.seq })
        .where("endpoint_id", "=", endpointId)
        .where("project_id", "=", projectId)
        .execute();
      return batch.length === BATCH_SIZE;
    });

  async function selectForAgent(tx: Tx, subscription: Subscription, projectId: number, batch: readonly Row<"events">[]): Promise<Row<"events">[]> {
    const types = parseTypes(subscription);
    const wanted = batch.filter(({ type, account_id }) => types.includes(type) && account_id !== subscription.agent_id);
    if (wanted.length === 0 || subscription.enabled === 0) return [];
    const reach = await loadReach(tx, subscription, projectId, clock.now());
    return reach ? wanted.filter(({ type, created_at }) => created_at >= reach.joinedAt && reach.canReceive(type)) : [];
  }

  async function store(tx: Tx, subscription: Subscription, projectId: number, events: readonly Row<"events">[]): Promise<void> {
    if (events.length === 0) return;
    const now = clock.now();
    const rows = events.map((event): NewRow<"outbound_events"> & { id: string } => {
      const { topic, seq, type, message_id, quoted_id, comment_id } = event;
      const data: LiveEvent = { topic, seq, type, time: iso(event.created_at), data: JSON.parse(event.data) as Record<string, unknown> };
      const texts = { message_id, quoted_id, comment_id };
      const { organisation_id } = subscription;
      return { id: randomUUID(), organisation_id, project_id: projectId, type: AGENT_EVENT, data: JSON.stringify(data), created_at: now, ...texts };
    });
    await tx.insertInto("outbound_events").values(rows).execute();
    await tx
      .insertInto("deliveries")
      .values(
        rows.map(({ id }, index) => ({
          endpoint_id: subscription.id,
          event_id: id,
          event_type: events[index]?.type ?? AGENT_EVENT,
          is_test: 0 as const,
          state: "pending" as const,
          next_attempt_at: now,
          created_at: now,
        })),
      )
      .execute();
  }

  return {
    /** Stores deliveries for all events that were not read yet; stops early once `isStopped` returns true. */
    async dispatch(isStopped: () => boolean): Promise<void> {
      await addJoinedProjects();
      for (const unread of await findUnread(database.read)) while (!isStopped() && (await dispatchBatch(unread)));
    },
  };
}
