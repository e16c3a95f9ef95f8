/** The delivery log: reading it, sending again, and tests. Sending itself is the engine's. */
import { setTimeout as sleep } from "node:timers/promises";
import type { DeliveryState } from "../../../contract/webhook-records.ts";
import { WEBHOOK_EVENTS, type WebhookEventType } from "../../../contract/webhook-events.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { conflict, invalid, notFound } from "../../lib/faults.ts";
import { HOUR } from "../../lib/clock.ts";
import type { DeliveryView } from "../../presenters/webhooks.ts";
import type { Actor } from "../access.ts";
import { audit } from "../audit.ts";
import { once, type Repeat } from "../idempotency.ts";
import { recordEvent } from "../outbound.ts";
import type { WebhookDeps } from "./deps.ts";
import { RECOVER_MS } from "./figures.ts";
import { attemptsOf, deliveryFor, deliveryViews, endpointFor, lockedEndpoint, type Endpoint } from "./repository.ts";
import { createTell } from "./tell.ts";

/** The engine may work in another process, of which nothing is heard here. */
const LOOK_EVERY_MS = 200;
/** For "14 days ago" from a clock that is not quite ours. */
const RECOVER_SLACK_MS = HOUR;

export interface DeliveryFilter {
  type: WebhookEventType | undefined;
  state: DeliveryState | undefined;
  /** Happened at or after, and before. */
  from: number | undefined;
  to: number | undefined;
}
export interface DeliveryWithAttempts {
  view: DeliveryView;
  attempts: Row<"delivery_attempts">[];
}

export function createDeliveries(deps: WebhookDeps) {
  const { database, events, clock, testWaitMs } = deps;
  const tell = createTell(deps);
  const waiting = new Set<() => void>();
  events.onCommit(({ type }) => {
    if (type === "delivery.updated") for (const wake of waiting) wake();
  });

  const note = (tx: Tx, actor: Actor, target: string, action: string, detail: Record<string, unknown>): Promise<void> =>
    audit(tx, clock.now(), { organisationId: actor.organisationId, accountId: actor.accountId, action, target, detail });

  function demandEnabled({ enabled }: Endpoint): void {
    if (enabled === 0) throw conflict("The endpoint is paused or switched off. Resume it first.");
  }

  async function viewOf(db: Tx, id: number): Promise<DeliveryView> {
    const [view] = await deliveryViews(db, await db.selectFrom("deliveries").selectAll().where("id", "=", id).execute());
    if (!view) throw new Error(`delivery ${id} has no event`);
    return view;
  }

  /** Resolves when the delivery waits no longer, or when that takes too long. */
  async function settled(id: number): Promise<void> {
    const end = performance.now() + testWaitMs;
    for (;;) {
      const heard = Promise.withResolvers<void>();
      waiting.add(heard.resolve);
      try {
        const row = await database.read.selectFrom("deliveries").select("state").where("id", "=", id).executeTakeFirst();
        const left = end - performance.now();
        if (row?.state !== "pending" || left <= 0) return;
        await Promise.race([heard.promise, sleep(Math.min(left, LOOK_EVERY_MS))]);
      } finally {
        waiting.delete(heard.resolve);
      }
    }
  }

  async function get(actor: Actor, id: number): Promise<DeliveryWithAttempts> {
    const [view] = await deliveryViews(database.read, [await deliveryFor(database.read, actor, id)]);
    if (!view) throw new Error(`delivery ${id} has no event`);
    return { view, attempts: await attemptsOf(database.read, id) };
  }

  /** Due now, from the start of the schedule. */
  const anew = (now: number, byHand: 0 | 1) => ({ state: "pending" as const, step: 0, next_attempt_at: now, done_at: null, by_hand: byHand });

  return {
    get,

    /** Newest first; `after`: the last one of the page before, 0 for the first page. */
    async list(
      actor: Actor,
      endpointId: number,
      { type, state, from, to }: DeliveryFilter,
      { after, limit }: { after: number; limit: number },
    ): Promise<{ views: DeliveryView[]; next: number | null }> {
      const { read } = database;
      const { id } = await endpointFor(read, actor, endpointId);
      let query = read.selectFrom("deliveries").selectAll().where("endpoint_id", "=", id);
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
              .where("last.endpoint_id", "=", id)
              .$asTuple("created_at", "id"),
          ),
        );
      const rows = await query
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(limit + 1)
        .execute();
      const shown = rows.slice(0, limit);
      return { views: await deliveryViews(read, shown), next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
    },

    /** Sends a delivery again, same id and body. */
    redeliver: (actor: Actor, id: number): Promise<DeliveryView> =>
      database.write(async (tx) => {
        const { endpoint_id } = await deliveryFor(tx, actor, id);
        const endpoint = await lockedEndpoint(tx, database.engine, actor, endpoint_id);
        const delivery = await deliveryFor(tx, actor, id);
        if (delivery.state === "pending") throw conflict("A try of this delivery is still to come.");
        if (delivery.is_test === 0) demandEnabled(endpoint);
        const { numUpdatedRows } = await tx.updateTable("deliveries").set(anew(clock.now(), 1)).where("id", "=", id).executeTakeFirst();
        // Its age took it this moment.
        if (Number(numUpdatedRows) === 0) throw notFound("delivery");
        await note(tx, actor, `delivery:${id}`, "webhook.redelivered", { endpoint_id });
        await tell.deliveries(tx, [id]);
        return viewOf(tx, id);
      }),

    /** Sends what failed or was held since then, and at once what waits after a failed try. Answers how many. */
    recover: (actor: Actor, endpointId: number, since: number): Promise<number> =>
      database.write(async (tx) => {
        const endpoint = await lockedEndpoint(tx, database.engine, actor, endpointId);
        const now = clock.now();
        if (since < now - RECOVER_MS - RECOVER_SLACK_MS) throw invalid("since", "must be at most 14 days back");
        demandEnabled(endpoint);
        // Whoever recovers says that the receiver is ready again, whatever it asked before.
        await tx.updateTable("webhook_endpoints").set({ not_before: null }).where("id", "=", endpoint.id).execute();
        const recovered = await tx
          .updateTable("deliveries")
          .set(anew(now, 0))
          .where("endpoint_id", "=", endpoint.id)
          .where(({ or, and, eb }) => or([eb("state", "in", ["failed", "held"]), and([eb("state", "=", "pending"), eb("step", ">", 0)])]))
          .where("created_at", ">=", since)
          .where("is_test", "=", 0)
          .where("lease_until", "is", null)
          .returning("id")
          .execute();
        await note(tx, actor, `webhook_endpoint:${endpoint.id}`, "webhook.recovered", { since, count: recovered.length });
        await tell.deliveries(
          tx,
          recovered.map(({ id }) => id),
        );
        if (recovered.length > 0) await tell.endpoint(tx, endpoint.id);
        return recovered.length;
      }),

    /** Sends the catalogue's example once, and waits for what comes back. Without a type it is the endpoint's first. */
    async test(actor: Actor, endpointId: number, type: WebhookEventType | undefined, repeat: Repeat): Promise<DeliveryWithAttempts> {
      const { id } = await database.write(async (tx) => {
        const endpoint = await lockedEndpoint(tx, database.engine, actor, endpointId);
        const now = clock.now();
        return once(tx, actor, repeat, now, async () => {
          const sent = type ?? (JSON.parse(endpoint.event_types) as [WebhookEventType])[0];
          const event = await recordEvent(tx, now, actor.organisationId, sent, WEBHOOK_EVENTS[sent].example);
          const delivery = await tx
            .insertInto("deliveries")
            .values({ endpoint_id: endpoint.id, event_id: event.id, event_type: sent, is_test: 1, created_at: now, ...anew(now, 1) })
            .returning("id")
            .executeTakeFirstOrThrow();
          await note(tx, actor, `webhook_endpoint:${endpoint.id}`, "webhook.tested", { event_type: sent });
          await tell.deliveries(tx, [delivery.id]);
          return delivery;
        });
      });
      await settled(id);
      return get(actor, id);
    },
  };
}
