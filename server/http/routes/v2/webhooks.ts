import * as webhooks from "../../../../contract/operations/webhooks.ts";
import { iso } from "../../../presenters/records.ts";
import { presentAttempt, presentDelivery, presentDeliveryWithAttempts, presentEndpoint } from "../../../presenters/webhooks.ts";
import { list, one } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";
import { cursorOf, readPage } from "../paging.ts";

const time = (moment: string | undefined): number | undefined => (moment === undefined ? undefined : Date.parse(moment));

export function webhookRoutes(serve: Serve, { webhookEndpoints, deliveries }: Pick<Services, "webhookEndpoints" | "deliveries">): void {
  serve(webhooks.createWebhookEndpoint, async ({ actor, body, repeat }) => {
    const wish = { url: body.url, eventTypes: body.event_types, description: body.description ?? "", enabled: body.enabled ?? true };
    const { view, secret } = await webhookEndpoints.create(actor, wish, repeat);
    return one("webhook_endpoint", { ...presentEndpoint(view), ...(secret === null ? {} : { secret }) });
  });
  serve(webhooks.listWebhookEndpoints, async ({ actor }) => list((await webhookEndpoints.list(actor)).map(presentEndpoint)));
  serve(webhooks.getWebhookEndpoint, async ({ actor, params }) =>
    one("webhook_endpoint", presentEndpoint(await webhookEndpoints.get(actor, params.endpoint_id))),
  );
  serve(webhooks.updateWebhookEndpoint, async ({ actor, params, body }) => {
    const { event_types: eventTypes, ...changes } = body;
    return one("webhook_endpoint", presentEndpoint(await webhookEndpoints.update(actor, params.endpoint_id, { ...changes, eventTypes })));
  });
  serve(webhooks.deleteWebhookEndpoint, ({ actor, params }) => webhookEndpoints.remove(actor, params.endpoint_id).then(() => undefined));
  serve(webhooks.rotateWebhookSecret, async ({ actor, params, repeat }) => {
    const { secret, previousUntil } = await webhookEndpoints.rotate(actor, params.endpoint_id, repeat);
    return one("webhook_secret", { ...(secret === null ? {} : { secret }), previous_secret_until: iso(previousUntil) });
  });
  serve(webhooks.testWebhookEndpoint, async ({ actor, params, body, repeat }) => {
    const { view, attempts } = await deliveries.test(actor, params.endpoint_id, body?.event_type, repeat);
    return one("delivery", presentDeliveryWithAttempts(view, attempts));
  });
  serve(webhooks.listDeliveries, async ({ actor, params, query }) => {
    const filter = { type: query.event_type, state: query.state, from: time(query.from), to: time(query.to) };
    const { views, next } = await deliveries.list(actor, params.endpoint_id, filter, readPage(query));
    return list(views.map(presentDelivery), { next_cursor: cursorOf(next) });
  });
  serve(webhooks.getDelivery, async ({ actor, params }) => {
    const { view, attempts } = await deliveries.get(actor, params.delivery_id);
    return one("delivery", presentDeliveryWithAttempts(view, attempts));
  });
  serve(webhooks.listAttempts, async ({ actor, params }) => list((await deliveries.get(actor, params.delivery_id)).attempts.map(presentAttempt)));
  serve(webhooks.redeliver, async ({ actor, params }) => one("delivery", presentDelivery(await deliveries.redeliver(actor, params.delivery_id))));
  serve(webhooks.recoverDeliveries, async ({ actor, params, body }) =>
    one("recovery", { count: await deliveries.recover(actor, params.endpoint_id, Date.parse(body.since)) }),
  );
}
