/** Publishes live webhook events to the organization's topic; accounts that may not manage webhooks cannot read them. */
import type { Tx } from "../../db/schema.ts";
import { MAX_PUBLISHED_DELIVERIES } from "../../delivery/record-results.ts";
import { topicOf } from "../../events/log.ts";
import type { WebhookDeps } from "./deps.ts";
import { presentDelivery, presentEndpoint } from "./presenter.ts";
import { loadDeliveryViews, loadEndpointViews } from "./repository.ts";

export function createDeliveryPublisher({ events, clock, secrets }: Pick<WebhookDeps, "events" | "clock" | "secrets">) {
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
        .where("deliveries.id", "in", publishedIds)
        .where("webhook_endpoints.deleted_at", "is", null)
        .orderBy("deliveries.id")
        .execute();
      const organisationIdByDelivery = new Map(rows.map(({ id, organisation_id }) => [id, organisation_id]));
      for (const view of await loadDeliveryViews(tx, rows))
        await events.append(tx, topicOf.organisation(organisationIdByDelivery.get(view.delivery.id) ?? 0), "delivery.updated", presentDelivery(view));
    },
    /** Publishes the current state of an endpoint, or its deletion. */
    async publishEndpoint(tx: Tx, id: number): Promise<void> {
      const endpoint = await tx.selectFrom("webhook_endpoints").selectAll().where("id", "=", id).executeTakeFirst();
      if (!endpoint) return;
      const topic = topicOf.organisation(endpoint.organisation_id);
      if (endpoint.deleted_at !== null) return void (await events.append(tx, topic, "webhook_endpoint.deleted", { id }));
      const [view] = await loadEndpointViews(tx, secrets, clock.now(), [endpoint]);
      if (view) await events.append(tx, topic, "webhook_endpoint.updated", presentEndpoint(view));
    },
  };
}
