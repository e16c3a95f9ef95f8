/** Routes of push subscriptions, of mail settings, and of the links in emails. */
import * as delivery from "../../../contract/operations/notification-delivery.ts";
import type { Actor } from "../../access/access.ts";
import { assertCan } from "../../access/access.ts";
import { list, single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import { iso } from "../../lib/iso-time.ts";
import type { NotificationDeliveryServices } from "./services.ts";
import type { SubscriptionView } from "./subscriptions.ts";

const presentSubscription = ({ id, session_id, user_agent, created_at }: SubscriptionView, { sessionId }: Actor) => ({
  id,
  current: session_id === sessionId,
  user_agent,
  created_at: iso(created_at),
});

export function registerNotificationDeliveryRoutes(route: Route, services: NotificationDeliveryServices, publicKey: string): void {
  const { pushSubscriptions, mailSubscriptions, mailConfirmations } = services;
  route(delivery.getPushKey, async ({ actor }) => {
    assertCan(actor, "self", {}, "");
    return single("push_key", { public_key: publicKey });
  });
  route(delivery.listPushSubscriptions, async ({ actor }) => list((await pushSubscriptions.list(actor)).map((view) => presentSubscription(view, actor))));
  route(delivery.createPushSubscription, async ({ actor, body }) =>
    single("push_subscription", presentSubscription(await pushSubscriptions.create(actor, body), actor)),
  );
  route(delivery.testPushSubscription, ({ actor, params }) => pushSubscriptions.sendTest(actor, params.subscription_id).then(() => undefined));
  route(delivery.deletePushSubscription, ({ actor, params }) => pushSubscriptions.remove(actor, params.subscription_id).then(() => undefined));

  route(delivery.getMailSettings, async ({ actor }) => single("mail_settings", await mailSubscriptions.get(actor)));
  route(delivery.updateMailSettings, async ({ actor, body }) => single("mail_settings", await mailSubscriptions.update(actor, body.enabled)));
  route(delivery.sendMailConfirmation, async ({ actor }) => {
    await mailConfirmations.send(actor);
    return single("mail_settings", await mailSubscriptions.get(actor));
  });

  route(
    delivery.openMailLink,
    async ({ query, reply }) => void reply.header("Cache-Control", "no-store").redirect(`/unsubscribe#${encodeURIComponent(query.token.toWellFormed())}`, 302),
  );
  route(delivery.unsubscribeByMailLink, ({ query }) => mailSubscriptions.useLink(query.token, false).then(() => undefined));
  route(delivery.previewMailLink, async ({ body }) => single("mail_link", await mailSubscriptions.preview(body.token)));
  route(delivery.previewMailConfirmation, async ({ body }) => single("mail_confirmation", await mailConfirmations.preview(body.token)));
  route(delivery.confirmMailAddress, async ({ body }) => single("mail_confirmation", await mailConfirmations.confirm(body.token)));
  route(delivery.applyMailLink, async ({ body }) => single("mail_link", await mailSubscriptions.useLink(body.token, body.enabled)));
}
