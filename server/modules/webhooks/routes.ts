/** Routes of webhook endpoints and their deliveries. */
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { encodeCursor, parsePage } from "../../http/paging.ts";
import { list, single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import { iso, parseTime } from "../../lib/iso-time.ts";
import { presentAttempt, presentDelivery, presentDeliveryWithAttempts, presentEndpoint } from "./presenter.ts";
import type { WebhookServices } from "./services.ts";

export function registerWebhookRoutes(route: Route, { webhookEndpoints, deliveries }: WebhookServices): void {
  route(webhooks.createWebhookEndpoint, async ({ actor, body, idempotencyKey }) => {
    const { url, event_types: eventTypes, description = "", enabled = true, project_ids: projectIds = null } = body;
    const input = { url, eventTypes, description, enabled, projectIds };
    const { view, secret } = await webhookEndpoints.create(actor, input, idempotencyKey);
    return single("webhook_endpoint", { ...presentEndpoint(view), ...(secret === null ? {} : { secret }) });
  });
  route(webhooks.checkWebhookUrl, async ({ actor, body }) => single("url_check", { url: body.url, problem: webhookEndpoints.findUrlIssue(actor, body.url) }));
  route(webhooks.listWebhookEndpoints, async ({ actor }) => list((await webhookEndpoints.list(actor)).map(presentEndpoint)));
  route(webhooks.getWebhookEndpoint, async ({ actor, params }) =>
    single("webhook_endpoint", presentEndpoint(await webhookEndpoints.get(actor, params.endpoint_id))),
  );
  route(webhooks.updateWebhookEndpoint, async ({ actor, params, body }) => {
    const { event_types: eventTypes, project_ids: projectIds, ...changes } = body;
    return single("webhook_endpoint", presentEndpoint(await webhookEndpoints.update(actor, params.endpoint_id, { ...changes, eventTypes, projectIds })));
  });
  route(webhooks.deleteWebhookEndpoint, ({ actor, params }) => webhookEndpoints.remove(actor, params.endpoint_id).then(() => undefined));
  route(webhooks.rotateWebhookSecret, async ({ actor, params, idempotencyKey }) => {
    const { secret, previousUntil } = await webhookEndpoints.rotate(actor, params.endpoint_id, idempotencyKey);
    return single("webhook_secret", { ...(secret === null ? {} : { secret }), previous_secret_until: iso(previousUntil) });
  });
  route(webhooks.testWebhookEndpoint, async ({ actor, params, body, idempotencyKey }) => {
    const { view, attempts } = await deliveries.test(actor, params.endpoint_id, body?.event_type, idempotencyKey);
    return single("delivery", presentDeliveryWithAttempts(view, attempts));
  });
  route(webhooks.listDeliveries, async ({ actor, params, query }) => {
    const filter = { type: query.event_type, state: query.state, from: parseTime(query.from) ?? undefined, to: parseTime(query.to) ?? undefined };
    const { views, next } = await deliveries.list(actor, params.endpoint_id, filter, parsePage(query));
    return list(views.map(presentDelivery), { next_cursor: encodeCursor(next) });
  });
  route(webhooks.getDelivery, async ({ actor, params }) => {
    const { view, attempts } = await deliveries.get(actor, params.delivery_id);
    return single("delivery", presentDeliveryWithAttempts(view, attempts));
  });
  route(webhooks.listAttempts, async ({ actor, params }) => list((await deliveries.get(actor, params.delivery_id)).attempts.map(presentAttempt)));
  route(webhooks.redeliver, async ({ actor, params, idempotencyKey }) =>
    single("delivery", presentDelivery(await deliveries.redeliver(actor, params.delivery_id, idempotencyKey))),
  );
  route(webhooks.recoverDeliveries, async ({ actor, params, body }) =>
    single("recovery", { count: await deliveries.recover(actor, params.endpoint_id, Date.parse(body.since)) }),
  );
}
