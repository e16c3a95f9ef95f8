/** The delivery log: listing, redelivering, recovering and test events. The delivery engine does the sending. */
import { setTimeout as sleep } from "node:timers/promises";
import { WEBHOOK_EVENT_ACCESS } from "../../../contract/event-access.ts";
import { RECOVERY_DAYS } from "../../../contract/limits.ts";
import { WEBHOOK_EVENTS, type WebhookEventType } from "../../../contract/webhook-events.ts";
import type { DeliveryState } from "../../../contract/webhook-records.ts";
import { assertCanRead, type Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import { runInBatches } from "../../db/batches.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { MAX_PUBLISHED_DELIVERIES } from "../../delivery/record-results.ts";
import { toPage } from "../../http/paging.ts";
import { HOUR } from "../../lib/clock.ts";
import { conflict, invalid, notFound } from "../../lib/errors.ts";
import type { WebhookDeps } from "./deps.ts";
import type { DeliveryView } from "./presenter.ts";
import { createDeliveryPublisher } from "./publisher.ts";
import { loadAttempts, loadAuthorizedDelivery, loadDeliveryViews, loadAuthorizedEndpoint, lockEndpoint, type Endpoint } from "./repository.ts";
import { RECOVERY_WINDOW_MS } from "./statistics.ts";
import { insertWebhookEvent } from "./webhook-events.ts";

/** Polling interval, because the engine may run in another process whose events do not reach this one. */
const POLL_INTERVAL_MS = 200;
/** Tolerance for clients whose clock differs when they ask for the whole window. */
const RECOVER_SLACK_MS = HOUR;

export interface DeliveryFilter {
  type?: WebhookEventType | undefined;
  state?: DeliveryState | undefined;
  /** Range of the creation time: `from` is inclusive, `to` exclusive. */
  from?: number | undefined;
  to?: number | undefined;
}
export interface DeliveryWithAttempts {
  view: DeliveryView;
  attempts: Row<"delivery_attempts">[];
}

/**
 * Begins a new round of attempts: due now, from the start of the retry schedule. `attempts` continues to count, and `created_at` remains the time of
 * the original event.
 */
export const dueNow = (now: number, manual: 0 | 1) => ({ state: "pending" as const, step: 0, next_attempt_at: now, done_at: null, by_hand: manual });

/**
 * Makes a delivery due now for a manual attempt. One that has ended begins a new round; one that waits for its retry keeps its place in the schedule, where
 * the manual attempt replaces the retry. Returns false if a manual attempt is due or in progress already. Throws a 409 during an automatic attempt.
 */
export async function makeDueByHand(tx: Tx, now: number, { id, state, by_hand, next_attempt_at, lease_until }: Row<"deliveries">): Promise<boolean> {
  const isPending = state === "pending";
  if (isPending && by_hand === 1 && (lease_until !== null || (next_attempt_at ?? 0) <= now)) return false;
  const due = isPending ? { next_attempt_at: now, by_hand: 1 as const } : dueNow(now, 1);
  // A worker may claim it at this moment: either that worker sends what is due now, or nothing changes here.
  const { numUpdatedRows } = await tx
    .updateTable("deliveries")
    .set(due)
    .where("id", "=", id)
    .where("state", "=", state)
    .where("lease_until", "is", null)
    .executeTakeFirst();
  if (Number(numUpdatedRows) === 1) return true;
  const current = await tx.selectFrom("deliveries").select("lease_until").where("id", "=", id).executeTakeFirst();
  // The retention job deleted the delivery concurrently.
  if (!current) throw notFound("delivery");
  throw conflict("An attempt of this delivery is in progress. Wait for its result.");
}

/** Returns a page of an endpoint's deliveries, newest first; `after`: id of the previous page's last delivery, 0 for the first page. */
export async function loadDeliveryPage(
  read: Db,
  endpointId: number,
  { type, state, from, to }: DeliveryFilter,
  { after, limit }: { after: number; limit: number },
): Promise<{ views: DeliveryView[]; next: number | null }> {
  let query = read.selectFrom("deliveries").selectAll().where("endpoint_id", "=", endpointId);
  if (type) query = query.where("event_type", "=", type);
  if (state) query = query.where("state", "=", state);
  if (from !== undefined) query = query.where("created_at", ">=", from);
  if (to !== undefined) query = query.where("created_at", "<", to);
  if (after > 0)
    query = query.where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("created_at", "id"),
        "<",
        selectFrom("deliveries as last")
          .select(["last.created_at", "last.id"])
          .where("last.id", "=", after)
          .where("last.endpoint_id", "=", endpointId)
          .$asTuple("created_at", "id"),
      ),
    );
  const rows = await query
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
  const { rows: pageRows, next } = toPage(rows, limit);
  return { views: await loadDeliveryViews(read, pageRows), next };
}

export function createDeliveries(deps: WebhookDeps) {
  const { database, events, clock, testWaitMs } = deps;
  const publisher = createDeliveryPublisher(deps);
  const wakeListeners = new Set<() => void>();
  events.onCommit(({ type }) => {
    if (type === "delivery.updated") for (const wake of wakeListeners) wake();
  });

  function assertEnabled({ enabled }: Endpoint): void {
    if (enabled === 0) throw conflict("The endpoint is paused or disabled. Resume it first.");
  }

  async function loadView(db: Tx, id: number): Promise<DeliveryView> {
    const [view] = await loadDeliveryViews(db, await db.selectFrom("deliveries").selectAll().where("id", "=", id).execute());
    if (!view) throw new Error(`delivery ${id} has no event`);
    return view;
  }

  /** Resolves when the delivery is no longer pending, or after `testWaitMs`. */
  async function waitUntilDone(id: number): Promise<void> {
    const deadline = performance.now() + testWaitMs;
    for (;;) {
      const wakeUp = Promise.withResolvers<void>();
      wakeListeners.add(wakeUp.resolve);
      try {
        const row = await database.read.selectFrom("deliveries").select("state").where("id", "=", id).executeTakeFirst();
        const remainingMs = deadline - performance.now();
        if (row?.state !== "pending" || remainingMs <= 0) return;
        await Promise.race([wakeUp.promise, sleep(Math.min(remainingMs, POLL_INTERVAL_MS))]);
      } finally {
        wakeListeners.delete(wakeUp.resolve);
      }
    }
  }

  async function get(actor: Actor, id: number): Promise<DeliveryWithAttempts> {
    const delivery = await loadAuthorizedDelivery(database.read, actor, id);
    const [view] = await loadDeliveryViews(database.read, [delivery]);
    if (!view) throw new Error(`delivery ${id} has no event`);
    if (delivery.is_test === 0)
      assertCanRead(actor, WEBHOOK_EVENT_ACCESS[delivery.event_type as WebhookEventType].scope, `reading ${delivery.event_type} events`);
    return { view, attempts: await loadAttempts(database.read, id) };
  }

  return {
    get,

    /** Returns a page, newest first. */
    async list(actor: Actor, endpointId: number, filter: DeliveryFilter, page: { after: number; limit: number }) {
      const { backgroundRead: read } = database;
      const { id } = await loadAuthorizedEndpoint(read, actor, endpointId);
      return loadDeliveryPage(read, id, filter, page);
    },

    /** Sends a delivery now with the same id; a pending retry becomes this attempt. Repeating the request while the attempt is under way changes nothing. */
    redeliver: (actor: Actor, id: number, idempotencyKey: IdempotencyKey | null): Promise<DeliveryView> =>
      database.write(async (tx) => {
        const { endpoint_id } = await loadAuthorizedDelivery(tx, actor, id);
        const endpoint = await lockEndpoint(tx, database.engine, actor, endpoint_id);
        await runIdempotent(tx, actor, idempotencyKey, clock.now(), async () => {
          const delivery = await loadAuthorizedDelivery(tx, actor, id);
          if (delivery.is_test === 0) assertEnabled(endpoint);
          if (!(await makeDueByHand(tx, clock.now(), delivery))) return id;
          await auditActor(tx, clock.now(), actor, "webhook.redelivered", `delivery:${id}`, { endpoint_id });
          await publisher.publishDeliveries(tx, [id]);
          return id;
        });
        return loadView(tx, id);
      }),

    /**
     * Starts a new round for failed, held and retrying deliveries that were created at `since` or later, and returns their number. Runs in batches, so that
     * other writes get in between; it stops where the endpoint is paused or deleted meanwhile.
     */
    async recover(actor: Actor, endpointId: number, since: number): Promise<number> {
      const now = clock.now();
      const lockRecoverable = async (tx: Tx): Promise<Endpoint> => {
        const endpoint = await lockEndpoint(tx, database.engine, actor, endpointId);
        assertEnabled(endpoint);
        return endpoint;
      };
      const { id } = await database.write(async (tx) => {
        const endpoint = await lockRecoverable(tx);
        if (since < now - RECOVERY_WINDOW_MS - RECOVER_SLACK_MS) throw invalid("since", `must be within the last ${RECOVERY_DAYS} days`);
        // Recovering implies that the receiver is ready, so it clears the delay that the receiver requested.
        await tx.updateTable("webhook_endpoints").set({ not_before: null }).where("id", "=", endpoint.id).execute();
        return endpoint;
      });
      const recoverable = (db: Db) =>
        db
          .selectFrom("deliveries")
          .select("id")
          .where("endpoint_id", "=", id)
          .where(({ or, and, eb }) => or([eb("state", "in", ["failed", "held"]), and([eb("state", "=", "pending"), eb("step", ">", 0)])]))
          .where("created_at", ">=", since)
          .where("is_test", "=", 0)
          .where("lease_until", "is", null);
      let lastId = 0;
      let newest: number[] = [];
      const count = await runInBatches(database, {
        // In order of id, since one that fails again in the meantime would be found again.
        find: (db, limit) => recoverable(db).where("id", ">", lastId).orderBy("id").limit(limit).execute(),
        async change(tx, found) {
          await lockRecoverable(tx);
          const ids = found.map((row) => row.id);
          const recovered = await tx
            .updateTable("deliveries")
            .set(dueNow(now, 0))
            .where("id", "in", recoverable(tx).where("id", "in", ids))
            .returning("id")
            .execute();
          lastId = ids.at(-1) ?? lastId;
          newest = [...newest, ...recovered.map((row) => row.id)].slice(-MAX_PUBLISHED_DELIVERIES);
          return recovered.length;
        },
      });
      await database.write(async (tx) => {
        await auditActor(tx, clock.now(), actor, "webhook.recovered", `webhook_endpoint:${id}`, { since, count });
        await publisher.publishDeliveries(tx, newest);
        if (count > 0) await publisher.publishEndpoint(tx, id);
      });
      return count;
    },

    /** Sends the example of the event catalog once and waits for the result. The event type defaults to the endpoint's first one. */
    async test(actor: Actor, endpointId: number, type: WebhookEventType | undefined, idempotencyKey: IdempotencyKey | null): Promise<DeliveryWithAttempts> {
      const { id } = await database.write(async (tx) => {
        const endpoint = await lockEndpoint(tx, database.engine, actor, endpointId);
        const now = clock.now();
        return runIdempotent(tx, actor, idempotencyKey, now, async () => {
          const eventType = type ?? (JSON.parse(endpoint.event_types) as [WebhookEventType])[0];
          const event = await insertWebhookEvent(tx, now, actor.organisationId, eventType, WEBHOOK_EVENTS[eventType].example);
          const delivery = await tx
            .insertInto("deliveries")
            .values({ endpoint_id: endpoint.id, event_id: event.id, event_type: eventType, is_test: 1, created_at: now, ...dueNow(now, 1) })
            .returning("id")
            .executeTakeFirstOrThrow();
          await auditActor(tx, clock.now(), actor, "webhook.tested", `webhook_endpoint:${endpoint.id}`, { event_type: eventType });
          await publisher.publishDeliveries(tx, [delivery.id]);
          return delivery;
        });
      });
      await waitUntilDone(id);
      return get(actor, id);
    },
  };
}
