import { createConfirmationLinks } from "./confirmation-links.ts";
import { createMailConfirmations } from "./confirmations.ts";
import type { NotificationDeliveryDeps } from "./deps.ts";
import { createMailLinks } from "./mail-links.ts";
import { createMailSubscriptions } from "./mail-subscription.ts";
import { createPushSubscriptions } from "./subscriptions.ts";

export const createNotificationDeliveryServices = (deps: NotificationDeliveryDeps) => ({
  pushSubscriptions: createPushSubscriptions(deps),
  mailSubscriptions: createMailSubscriptions(deps, {
    mail: createMailLinks(deps.mailLinkKey, deps.publicUrl),
    confirmation: createConfirmationLinks(deps.mailLinkKey, deps.publicUrl),
  }),
  mailConfirmations: createMailConfirmations(deps),
});

export type NotificationDeliveryServices = ReturnType<typeof createNotificationDeliveryServices>;
