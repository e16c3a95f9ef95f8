/** Teams, groups, projects with their members, and invites. */
import type { ModuleDeps } from "../../access/deps.ts";
import type { ServiceModule } from "../../http/module.ts";
import type { OnInviteAccepted } from "./invites.ts";
import { registerProjectRoutes } from "./routes.ts";
import { createProjectServices, type ProjectServices } from "./services.ts";

export function createProjectsModule(deps: ModuleDeps, onInviteAccepted: OnInviteAccepted): ServiceModule<ProjectServices> {
  const services = createProjectServices(deps, onInviteAccepted);
  return {
    services,
    features: ["projects"],
    register({ route, cookie }) {
      registerProjectRoutes(route, services, cookie, deps.publicUrl);
      return {};
    },
  };
}
