/**
 * Publishes live webhook events to the organization's topic; accounts that may not manage webhooks cannot read them. There are none about the endpoints of
 * agents' subscriptions, which are not among the organization's webhooks.
 */
import { WEBHOOK_MANAGERS } from "../notifications/visible.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { MAX_PUBLISHED_DELIVERIES } from "../../delivery/record-results.ts";
import { topicOf } from "../../events/log.ts";
import type { WebhookDeps } from "./deps.ts";
import { presentDelivery, presentEndpoint } from "./presenter.ts";
import { loadDeliveryViews, loadEndpointViews } from "./repository.ts";

export function createDeliveryPublisher({ events, clock, secrets, notify }: Pick<WebhookDeps, "events" | "clock" | "secrets" | "notify">) {
  return {
    /** Publishes the current state of the newest of these deliveries, without those of deleted endpoints. */
    async publishDeliveries(tx: Tx, ids: readonly number[]): Promise<void> {
      const publishedIds = ids.toSorted((a, b) => a - b).slice(-MAX_PUBLISHED_DELIVERIES);
      if (publishedIds.length === 0) return;
      const rows = await tx
        .selectFrom("deliveries")
        .innerJoin("webhook_endpoints", "webhook_endpoints.id", "deliveries.endpoint_id")
        .selectAll("deliveries")
        .select("organisation_id")
        .where("deliveries.id", "in", padIds(publishedIds))
        .where("webhook_endpoints.agent_id", "is", null)
        .where("webhook_endpoints.deleted_at", "is", null)
        .orderBy("deliveries.id")
        .execute();
      const organisationIdByDelivery = new Map(rows.map(({ id, organisation_id }) => [id, organisation_id]));
      const views = await loadDeliveryViews(tx, rows);
      await events.appendMany(
        tx,
        views.map((view) => {
          const topic = topicOf.organisation(organisationIdByDelivery.get(view.delivery.id) ?? 0);
          return { topic, type: "delivery.updated", data: presentDelivery(view) };
        }),
      );
    },
    /** Notifies those who manage webhooks that the service has switched an endpoint off. */
    async publishDisabled(tx: Tx, { id, organisation_id, agent_id }: Pick<Row<"webhook_endpoints">, "id" | "organisation_id" | "agent_id">): Promise<void> {
      if (agent_id !== null) return;
      const managers = await tx
        .selectFrom("accounts")
        .select("id")
        .where("organisation_id", "=", organisation_id)
        .where("role", "in", WEBHOOK_MANAGERS)
        .execute();
      const input = { kind: "webhook_disabled", actorId: null, projectId: null, dedupeKey: `webhook_disabled:${id}`, isRenewed: true } as const;
      await notify(tx, [{ ...input, recipientIds: managers.map((manager) => manager.id), subject: { endpoint_id: id } }]);
    },
    /** Publishes the current state of an endpoint, or its deletion. */
    async publishEndpoint(tx: Tx, id: number): Promise<void> {
      const endpoint = await tx.selectFrom("webhook_endpoints").selectAll().where("id", "=", id).executeTakeFirst();
      if (!endpoint || endpoint.agent_id !== null) return;
      const topic = topicOf.organisation(endpoint.organisation_id);
      if (endpoint.deleted_at !== null) return void (await events.append(tx, topic, "webhook_endpoint.deleted", { id }));
      const [view] = await loadEndpointViews(tx, secrets, clock.now(), [endpoint]);
      if (view) await events.append(tx, topic, "webhook_endpoint.updated", presentEndpoint(view));
    },
  };
}
