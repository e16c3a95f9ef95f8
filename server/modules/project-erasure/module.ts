/** Erasing of projects. It has no routes: other modules decide what is erased and when. */
import type { ServiceModule } from "../../http/module.ts";
import { createProjectErasure, type ErasureDeps, type ProjectErasure } from "./erase-project.ts";

export function createProjectErasureModule(deps: ErasureDeps): ServiceModule<{ projectErasure: ProjectErasure }> {
  return { services: { projectErasure: createProjectErasure(deps) }, features: [], register: () => ({}) };
}
