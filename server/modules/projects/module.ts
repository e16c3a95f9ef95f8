/** Teams, groups, projects with their members, and invites. */
import type { ModuleDeps } from "../../access/deps.ts";
import type { ServiceModule } from "../../http/module.ts";
import { registerProjectRoutes } from "./routes.ts";
import { createProjectServices, type ProjectServices } from "./services.ts";

export function createProjectsModule(deps: ModuleDeps): ServiceModule<ProjectServices> {
  const services = createProjectServices(deps);
  return {
    services,
    features: ["projects"],
    register({ route, cookie }) {
      registerProjectRoutes(route, services, cookie, deps.publicUrl);
      return {};
    },
  };
}
