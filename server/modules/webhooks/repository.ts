/** Loads endpoints and deliveries, limited to the actor's organization, and their views. */
import { assertCan, visibleEndpoints, type Actor } from "../../access/access.ts";
import type { Engine } from "../../db/database.ts";
import { lockRows, padIds } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { notFound } from "../../lib/errors.ts";
import type { AttemptSummary, DeliveryView, EndpointView } from "./presenter.ts";
import { isEventVisible } from "./deleted-projects.ts";
import { previousSecrets, type EndpointSecrets } from "./secrets.ts";
import { loadStatistics } from "./statistics.ts";

export type Endpoint = Row<"webhook_endpoints">;

export const assertWebhookManager = (actor: Actor): void => assertCan(actor, "webhook.manage", {}, "Only owners and admins can manage webhooks.");

/** Returns the endpoint; throws a 404 unless it is in the organization, and a 403 unless the actor may manage webhooks. */
export async function loadAuthorizedEndpoint(db: Db, actor: Actor, id: number): Promise<Endpoint> {
  const endpoint = await visibleEndpoints(db, actor).where("webhook_endpoints.id", "=", id).selectAll("webhook_endpoints").executeTakeFirst();
  if (!endpoint) throw notFound("webhook endpoint");
  assertWebhookManager(actor);
  return endpoint;
}

/** Same as `loadAuthorizedEndpoint`, but locks the row, so that nobody else changes it or writes events for it until the transaction ends. */
export async function lockEndpoint(tx: Tx, engine: Engine, actor: Actor, id: number): Promise<Endpoint> {
  const query = visibleEndpoints(tx, actor).where("webhook_endpoints.id", "=", id).selectAll("webhook_endpoints");
  const endpoint = await lockRows(query, engine, "update").executeTakeFirst();
  if (!endpoint) throw notFound("webhook endpoint");
  assertWebhookManager(actor);
  return endpoint;
}

/** Changes the state of waiting deliveries, and returns their ids; an attempt under way is left to the process that makes it. */
export async function setWaitingState(tx: Tx, endpointId: number, state: "held" | "failed", doneAt: number | null): Promise<number[]> {
  const rows = await tx
    .updateTable("deliveries")
    .set({ state, next_attempt_at: null, done_at: doneAt })
    .where("endpoint_id", "=", endpointId)
    .where("state", "in", state === "failed" ? ["pending", "held"] : ["pending"])
    .where("lease_until", "is", null)
    // Test deliveries are sent even to a paused endpoint.
    .$if(state === "held", (query) => query.where("is_test", "=", 0))
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

export async function loadEndpointViews(db: Db, secrets: EndpointSecrets, now: number, endpoints: readonly Endpoint[]): Promise<EndpointView[]> {
  const ids = endpoints.map(({ id }) => id);
  const statistics = await loadStatistics(db, ids, now);
  return endpoints.map(({ secret, previous_secrets, ...endpoint }) => ({
    endpoint,
    previousSecretUntil: previousSecrets({ previous_secrets }, now)[0]?.until ?? null,
    secretHint: secrets.hintOf(secret),
    ...statistics.get(endpoint.id)!,
  }));
}

/** Returns the delivery; throws a 404 unless its endpoint is in the organization, and a 403 unless the actor may manage webhooks. */
export async function loadAuthorizedDelivery(db: Db, actor: Actor, id: number): Promise<Row<"deliveries">> {
  const delivery = await db
    .selectFrom("deliveries")
    .selectAll()
    .where("id", "=", id)
    .where("endpoint_id", "in", visibleEndpoints(db, actor).select("webhook_endpoints.id"))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("outbound_events")
          .select("outbound_events.id")
          .whereRef("outbound_events.id", "=", "deliveries.event_id")
          .where(isEventVisible("outbound_events.project_id")),
      ),
    )
    .executeTakeFirst();
  if (!delivery) throw notFound("delivery");
  assertWebhookManager(actor);
  return delivery;
}

/** Returns the newest finished attempt of each delivery. */
async function loadLastAttempts(db: Db, ids: readonly number[]): Promise<Map<number, AttemptSummary>> {
  const rows = await db
    .selectFrom("delivery_attempts as attempt")
    .select(["delivery_id", "number", "started_at", "duration", "outcome", "status", "response_body"])
    .where("delivery_id", "in", padIds(ids))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("delivery_attempts as later")
            .select("later.id")
            .whereRef("later.delivery_id", "=", "attempt.delivery_id")
            .whereRef("later.number", ">", "attempt.number"),
        ),
      ),
    )
    .execute();
  return new Map(rows.map((row) => [row.delivery_id, row]));
}

/** Returns the time of the next attempt, delayed as the receiver requested unless it is under way or manual. */
function nextAttemptAt({ next_attempt_at, lease_until, by_hand }: Row<"deliveries">, notBefore: number): number | null {
  return next_attempt_at === null || lease_until !== null || by_hand === 1 ? next_attempt_at : Math.max(next_attempt_at, notBefore);
}

/** Returns the views in the order of the deliveries. */
export async function loadDeliveryViews(db: Db, deliveries: readonly Row<"deliveries">[]): Promise<DeliveryView[]> {
  if (deliveries.length === 0) return [];
  const lastAttempts = await loadLastAttempts(
    db,
    deliveries.map(({ id }) => id),
  );
  const eventIds = [...new Set(deliveries.map(({ event_id }) => event_id))];
  const events = await db
    .selectFrom("outbound_events")
    .select(["id", "type", "data", "project_id"])
    .where("id", "in", padIds(eventIds))
    .where(isEventVisible("outbound_events.project_id"))
    .execute();
  const eventById = new Map(events.map((event) => [event.id, event]));
  const endpointIds = [...new Set(deliveries.map(({ endpoint_id }) => endpoint_id))];
  const delayedEndpoints = await db
    .selectFrom("webhook_endpoints")
    .select(["id", "not_before"])
    .where("id", "in", padIds(endpointIds))
    .where("not_before", "is not", null)
    .execute();
  const notBeforeById = new Map(delayedEndpoints.map((endpoint) => [endpoint.id, endpoint.not_before]));
  return deliveries.flatMap((delivery) => {
    const event = eventById.get(delivery.event_id);
    return event
      ? [
          {
            delivery: { ...delivery, next_attempt_at: nextAttemptAt(delivery, notBeforeById.get(delivery.endpoint_id) ?? 0) },
            event,
            lastAttempt: lastAttempts.get(delivery.id) ?? null,
          },
        ]
      : [];
  });
}

/** Returns the attempts, newest first. */
export const loadAttempts = (db: Db, deliveryId: number): Promise<Row<"delivery_attempts">[]> =>
  db.selectFrom("delivery_attempts").selectAll().where("delivery_id", "=", deliveryId).orderBy("number", "desc").execute();

/** Returns a sentence for the operator if the newest endpoint's secret cannot be read, because the master key is another one; null otherwise. */
export async function findMasterKeyIssue(db: Db, secrets: EndpointSecrets): Promise<string | null> {
  const endpoint = await db.selectFrom("webhook_endpoints").select("secret").where("deleted_at", "is", null).orderBy("id", "desc").limit(1).executeTakeFirst();
  if (!endpoint || secrets.hintOf(endpoint.secret) !== "") return null;
  return "The webhook secrets were encrypted with a different master key. Set the same MASTER_KEY (or DATA_DIR) as for the services.";
}
