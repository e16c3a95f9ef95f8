/** Notifications of what concerns a person, their settings, and the files that people watch. */
import type { ModuleDeps } from "../../access/deps.ts";
import type { ServiceModule } from "../../http/module.ts";
import { deleteOldNotifications } from "./retention.ts";
import { registerNotificationRoutes } from "./routes.ts";
import { createNotificationServices, type NotificationOptions, type NotificationServices } from "./services.ts";

export function createNotificationsModule(deps: ModuleDeps, options: NotificationOptions): ServiceModule<NotificationServices> {
  const services = createNotificationServices(deps, options);
  return {
    services,
    features: ["notifications"],
    register({ route }) {
      registerNotificationRoutes(route, services, deps.publicUrl);
      return { "delete old notifications": () => deleteOldNotifications(deps) };
    },
  };
}
