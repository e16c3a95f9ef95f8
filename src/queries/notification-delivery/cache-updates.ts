/** Query keys of what delivers notifications outside of the page. */
import type { ClientData } from "../../client/client.ts";
import { invalidate } from "../query-client.ts";

export const deliveryKeys = {
  all: ["notification-delivery"] as const,
  subscriptions: ["notification-delivery", "push-subscriptions"] as const,
  browser: ["notification-delivery", "browser"] as const,
  mail: ["notification-delivery", "mail"] as const,
};

/** Refetches what is shown after a change in another tab or browser. */
export const invalidateDelivery = (client: ClientData): void => invalidate(client, deliveryKeys.all);
