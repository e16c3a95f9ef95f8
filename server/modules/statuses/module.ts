/** A team's file statuses, the status of each file and its history. */
import type { ServiceModule } from "../../http/module.ts";
import type { FilesDeps } from "../files/deps.ts";
import { registerStatusRoutes } from "./routes.ts";
import { createStatusServices, type StatusServices } from "./services.ts";

export function createStatusesModule(deps: FilesDeps): ServiceModule<StatusServices> {
  const services = createStatusServices(deps);
  return {
    services,
    features: ["statuses"],
    register({ route }) {
      registerStatusRoutes(route, services, deps.present);
      return {};
    },
  };
}
