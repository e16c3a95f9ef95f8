/** Teams, groups, projects with their members, and invites. */
import type { ModuleDeps } from "../../access/deps.ts";
import type { ServiceModule } from "../../http/module.ts";
import { registerProjectRoutes } from "./routes.ts";
import { createProjectServices, type ProjectHooks, type ProjectServices } from "./services.ts";

export function createProjectsModule(deps: ModuleDeps, hooks: ProjectHooks): ServiceModule<ProjectServices> {
  const services = createProjectServices(deps, hooks);
  return {
    services,
    features: ["projects"],
    register({ route, cookie }) {
      registerProjectRoutes(route, services, cookie, deps.publicUrl);
      return {};
    },
  };
}
