/** Stores webhook events in the transaction of the change, with one delivery for each subscribed endpoint. */
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import type { WebhookEventType } from "../../../contract/webhook-events.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { Engine } from "../../db/database.ts";
import { lockRows } from "../../db/engine-sql.ts";
import { prepareStatement } from "../../db/prepared.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { ownerColumns, type TextOwners, topicOf } from "../../events/log.ts";
import { endedTokens } from "./ended-tokens.ts";
import { presentDelivery } from "./presenter.ts";
import { parseProjectIds } from "./stored-lists.ts";

export type WebhookEventDeps = Pick<ModuleDeps, "database" | "events" | "clock" | "onWebhookEvent">;
type StoredEvent = Pick<Row<"outbound_events">, "id" | "type" | "data" | "project_id">;
type SubscribedEndpoint = Pick<Row<"webhook_endpoints">, "id" | "enabled" | "token_id">;

/** The `data` of an event; endpoints may be limited to some projects. */
export interface WebhookEventData {
  project_id: number;
  [member: string]: unknown;
}

/** Stores an event with its `data` as text, which every attempt sends. Text of a message or comment is redacted there when that changes (`textOwners`). */
export async function insertWebhookEvent(
  tx: Tx,
  now: number,
  organisationId: number,
  type: WebhookEventType,
  data: object,
  { projectId = null, textOwners }: { projectId?: number | null; textOwners?: TextOwners } = {},
): Promise<StoredEvent> {
  const event = { id: randomUUID(), organisation_id: organisationId, type, data: JSON.stringify(data), created_at: now, project_id: projectId };
  await tx
    .insertInto("outbound_events")
    .values({ ...event, ...ownerColumns(textOwners) })
    .execute();
  return event;
}

/**
 * Stores an event and its deliveries: their first round of attempts is due at once, or they are held if the endpoint is paused or
 * disabled, or if its token has ended. Those of a deleted project wait for its restoring, and nobody hears of them.
 */
export async function enqueueWebhookEvent(
  tx: Tx,
  deps: WebhookEventDeps,
  organisationId: number,
  type: WebhookEventType,
  data: WebhookEventData,
): Promise<void> {
  const now = deps.clock.now();
  const event = await insertWebhookEvent(tx, now, organisationId, type, data, { projectId: data.project_id });
  await deps.onWebhookEvent(tx, type, data);
  await insertDeliveries(tx, deps, organisationId, event, await lockSubscribed(tx, deps, organisationId, type, data.project_id));
}

/** What an event needs that is stored only if an endpoint wants it, so that frequent events and texts are copied for nobody. */
export interface WantedEvent {
  type: WebhookEventType;
  projectId: number;
  /** Whose text is in it, if it has any of a message or comment. */
  textOwners?: TextOwners;
  loadData(): Promise<WebhookEventData>;
}

/** The same for an event of which nothing is stored if no endpoint wants it. Tasks of agents do not start by such events. */
export async function enqueueWantedEvent(
  tx: Tx,
  deps: WebhookEventDeps,
  organisationId: number,
  { type, projectId, textOwners, loadData }: WantedEvent,
): Promise<void> {
  const endpoints = await lockSubscribed(tx, deps, organisationId, type, projectId);
  if (endpoints.length === 0) return;
  const event = await insertWebhookEvent(tx, deps.clock.now(), organisationId, type, await loadData(), { projectId, ...(textOwners && { textOwners }) });
  await insertDeliveries(tx, deps, organisationId, event, endpoints);
}

const selectSubscribedOn = (engine: Engine) =>
  prepareStatement<{ organisationId: number; quotedType: string }, SubscribedEndpoint & Pick<Row<"webhook_endpoints">, "project_ids">>(
    (db, { organisationId, quotedType }) =>
      // The share lock makes concurrent pausing, deleting or editing of an endpoint visible either fully or not at all.
      lockRows(
        db
          .selectFrom("webhook_endpoints")
          .select(["id", "enabled", "token_id", "project_ids"])
          .where("organisation_id", "=", organisationId)
          .where("agent_id", "is", null)
          .where("deleted_at", "is", null)
          // SQLite would prepare the statement anew for each value of a bare `like`, because the value decides whether an index helps.
          .where("event_types", "like", sql<string>`'%' || ${quotedType} || '%'`)
          .orderBy("id"),
        engine,
        "share",
      ),
  );
const selectSubscribed: Record<Engine, ReturnType<typeof selectSubscribedOn>> = {
  sqlite: selectSubscribedOn("sqlite"),
  postgres: selectSubscribedOn("postgres"),
};

/** Returns the endpoints that want events of this type and project. */
async function lockSubscribed(
  tx: Tx,
  { database }: Pick<WebhookEventDeps, "database">,
  organisationId: number,
  type: WebhookEventType,
  projectId: number,
): Promise<SubscribedEndpoint[]> {
  const endpoints = await selectSubscribed[database.engine](tx, { organisationId, quotedType: JSON.stringify(type) });
  return endpoints.filter((endpoint) => parseProjectIds(endpoint)?.includes(projectId) ?? true);
}

async function insertDeliveries(
  tx: Tx,
  { events, clock }: Pick<WebhookEventDeps, "events" | "clock">,
  organisationId: number,
  event: StoredEvent,
  endpoints: readonly SubscribedEndpoint[],
): Promise<void> {
  if (endpoints.length === 0) return;
  const now = clock.now();
  const tokenIds = endpoints.flatMap(({ token_id }) => (token_id === null ? [] : [token_id]));
  const ended = tokenIds.length === 0 ? [] : await endedTokens(tx, now).where("api_tokens.id", "in", tokenIds).execute();
  const isDelivering = ({ enabled, token_id }: SubscribedEndpoint) => enabled === 1 && !ended.some(({ id }) => id === token_id);
  const hidden = tx.selectFrom("projects").select("id").where("id", "=", event.project_id).where("deleted_at", "is not", null);
  const isHidden = (await hidden.executeTakeFirst()) !== undefined;
  const deliveries = await tx
    .insertInto("deliveries")
    .values(
      endpoints.map((endpoint) => ({
        endpoint_id: endpoint.id,
        event_id: event.id,
        event_type: event.type,
        is_test: 0 as const,
        state: isDelivering(endpoint) ? ("pending" as const) : ("held" as const),
        next_attempt_at: isDelivering(endpoint) && !isHidden ? now : null,
        created_at: now,
      })),
    )
    .returningAll()
    .execute();
  if (isHidden) return;
  for (const delivery of deliveries)
    await events.append(tx, topicOf.organisation(organisationId), "delivery.updated", presentDelivery({ delivery, event, lastAttempt: null }));
}
