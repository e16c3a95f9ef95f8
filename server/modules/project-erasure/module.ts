/** Erasing of projects. It has no routes: other modules erase by its service, and deleted projects are erased after 30 days. */
import type { ModuleDeps } from "../../access/deps.ts";
import type { ServiceModule } from "../../http/module.ts";
import { eraseDeletedProjects } from "./erase-deleted-projects.ts";
import { createProjectErasure, type ErasureDeps, type ProjectErasure } from "./erase-project.ts";

export function createProjectErasureModule(deps: ErasureDeps & Pick<ModuleDeps, "clock">): ServiceModule<{ projectErasure: ProjectErasure }> {
  const projectErasure = createProjectErasure(deps);
  return {
    services: { projectErasure },
    features: [],
    register: () => ({ "erase deleted projects": () => eraseDeletedProjects(deps, projectErasure) }),
  };
}
