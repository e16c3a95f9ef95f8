import type { ModuleDeps } from "../../access/deps.ts";
import { createDeletedProjects, type OnProjectHidden } from "./deleted-projects.ts";
import { createInvites, type OnInviteAccepted } from "./invites.ts";
import { createProjects } from "./projects.ts";
import { createTeams } from "./teams.ts";

/** What later modules do in the transactions of projects and invites. */
export interface ProjectHooks {
  onInviteAccepted: OnInviteAccepted;
  onProjectHidden: OnProjectHidden;
}

export const createProjectServices = (deps: ModuleDeps, { onInviteAccepted, onProjectHidden }: ProjectHooks) => ({
  teams: createTeams(deps),
  projects: createProjects(deps),
  deletedProjects: createDeletedProjects(deps, onProjectHidden),
  invites: createInvites(deps, onInviteAccepted),
});

export type ProjectServices = ReturnType<typeof createProjectServices>;
