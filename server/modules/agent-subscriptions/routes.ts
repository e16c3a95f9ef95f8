/** Routes of the event subscriptions of agents and their deliveries. */
import * as operations from "../../../contract/operations/agent-subscriptions.ts";
import { encodeCursor, parsePage } from "../../http/paging.ts";
import { list, single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import { iso } from "../../lib/iso-time.ts";
import { presentSubscription, presentSubscriptionDelivery, presentSubscriptionDeliveryWithAttempts } from "./presenter.ts";
import type { AgentSubscriptionServices } from "./services.ts";

const keyOf = (params: { agent_id: number; subscription_id: number; delivery_id: number }) => ({
  agentId: params.agent_id,
  subscriptionId: params.subscription_id,
  deliveryId: params.delivery_id,
});

export function registerAgentSubscriptionRoutes(route: Route, { agentSubscriptions, agentDeliveries }: AgentSubscriptionServices): void {
  route(operations.listEventSubscriptions, async ({ actor, params }) => list((await agentSubscriptions.list(actor, params.agent_id)).map(presentSubscription)));
  route(operations.createEventSubscription, async ({ actor, params, body, idempotencyKey }) => {
    const input = { eventTypes: body.event_types, projectIds: body.project_ids ?? null, url: body.url };
    const { view, secret } = await agentSubscriptions.create(actor, params.agent_id, input, idempotencyKey);
    return single("event_subscription", { ...presentSubscription(view), ...(secret === null ? {} : { secret }) });
  });
  route(operations.getEventSubscription, async ({ actor, params }) =>
    single("event_subscription", presentSubscription(await agentSubscriptions.get(actor, params.agent_id, params.subscription_id))),
  );
  route(operations.updateEventSubscription, async ({ actor, params, body }) => {
    const changes = { eventTypes: body.event_types, projectIds: body.project_ids, url: body.url, enabled: body.enabled };
    return single("event_subscription", presentSubscription(await agentSubscriptions.update(actor, params.agent_id, params.subscription_id, changes)));
  });
  route(operations.deleteEventSubscription, ({ actor, params }) =>
    agentSubscriptions.remove(actor, params.agent_id, params.subscription_id).then(() => undefined),
  );
  route(operations.rotateSubscriptionSecret, async ({ actor, params, idempotencyKey }) => {
    const { secret, previousUntil } = await agentSubscriptions.rotate(actor, params.agent_id, params.subscription_id, idempotencyKey);
    return single("webhook_secret", { ...(secret === null ? {} : { secret }), previous_secret_until: iso(previousUntil) });
  });
  route(operations.listSubscriptionDeliveries, async ({ actor, params, query }) => {
    const { views, next } = await agentDeliveries.list(actor, params.agent_id, params.subscription_id, query.state, parsePage(query));
    return list(views.map(presentSubscriptionDelivery), { next_cursor: encodeCursor(next) });
  });
  route(operations.getSubscriptionDelivery, async ({ actor, params }) => {
    const { view, attempts } = await agentDeliveries.get(actor, keyOf(params));
    return single("delivery", presentSubscriptionDeliveryWithAttempts(view, attempts));
  });
  route(operations.redeliverSubscriptionDelivery, async ({ actor, params }) =>
    single("delivery", presentSubscriptionDelivery(await agentDeliveries.redeliver(actor, keyOf(params)))),
  );
}
