/** Sends notifications outside of the page: push messages to browsers, and emails. */
import type { ModuleDeps } from "../../access/deps.ts";
import { createGuard, type GuardOptions } from "../../delivery/guard.ts";
import type { ServiceModule } from "../../http/module.ts";
import { deriveKey } from "../../lib/crypto.ts";
import type { NotificationDeliveryDeps } from "./deps.ts";
import { derivePushKeys } from "./push-keys.ts";
import { createPushTargets } from "./push-targets.ts";
import { deleteOldNotificationDeliveries } from "./retention.ts";
import { registerNotificationDeliveryRoutes } from "./routes.ts";
import { createNotificationDeliveryServices, type NotificationDeliveryServices } from "./services.ts";

export interface NotificationDeliveryOptions extends Pick<NotificationDeliveryDeps, "mail"> {
  deps: ModuleDeps;
  masterKey: Buffer;
  /** Addresses of push services that the operator allows besides public ones. */
  guardOptions: GuardOptions;
}

export const createNotificationDeliveryDeps = ({ deps, masterKey, guardOptions, mail }: NotificationDeliveryOptions): NotificationDeliveryDeps => ({
  ...deps,
  mail,
  guard: createGuard(guardOptions),
  pushKeys: derivePushKeys(masterKey),
  pushTargets: createPushTargets(deriveKey(masterKey, "push subscriptions")),
  mailLinkKey: deriveKey(masterKey, "mail links"),
});

export function createNotificationDeliveryModule(deps: NotificationDeliveryDeps): ServiceModule<NotificationDeliveryServices> {
  const services = createNotificationDeliveryServices(deps);
  return {
    services,
    features: ["push", ...(deps.mail ? ["mail"] : [])],
    register({ route }) {
      registerNotificationDeliveryRoutes(route, services, deps.pushKeys.publicKey);
      return { "delete old push messages and emails": () => deleteOldNotificationDeliveries(deps) };
    },
  };
}
