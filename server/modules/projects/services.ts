import type { ModuleDeps } from "../../access/deps.ts";
import { createInvites, type OnInviteAccepted } from "./invites.ts";
import { createProjects } from "./projects.ts";
import { createTeams } from "./teams.ts";

export const createProjectServices = (deps: ModuleDeps, onInviteAccepted: OnInviteAccepted) => ({
  teams: createTeams(deps),
  projects: createProjects(deps),
  invites: createInvites(deps, onInviteAccepted),
});

export type ProjectServices = ReturnType<typeof createProjectServices>;
