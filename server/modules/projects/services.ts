import type { ModuleDeps } from "../../access/deps.ts";
import { createInvites } from "./invites.ts";
import { createProjects } from "./projects.ts";
import { createTeams } from "./teams.ts";

export const createProjectServices = (deps: ModuleDeps) => ({ teams: createTeams(deps), projects: createProjects(deps), invites: createInvites(deps) });

export type ProjectServices = ReturnType<typeof createProjectServices>;
