/** What a role may do, as the interface shows it. The service decides again for itself. */
import type { Role } from "../../../contract/records.ts";

export interface Rights {
  /** Sees every project and manages people. */
  manages: boolean;
  createsProjects: boolean;
  createsGroups: boolean;
  editsProjects: boolean;
  addsPeople: boolean;
  /** Takes other people out of a project; leaving is everybody's own. */
  removesPeople: boolean;
  invites: boolean;
  /** Everybody who sees a project brings files into its chat, guests too. */
  uploadsFiles: boolean;
  setsStatuses: boolean;
  /** Has a file's processing run again. */
  processesFiles: boolean;
  /** Keeps lists of tasks as templates of the team, and deletes them. */
  keepsTaskTemplates: boolean;
  managesWebhooks: boolean;
  /** Changes the statuses that the team gives its files. */
  managesStatuses: boolean;
  /** Puts a file's tempo and key right by hand. */
  correctsTags: boolean;
}

export function rightsOf(role: Role): Rights {
  const manages = role === "owner" || role === "admin";
  const works = role !== "guest";
  return {
    manages,
    createsProjects: works,
    createsGroups: works,
    editsProjects: works,
    addsPeople: works,
    removesPeople: manages,
    invites: manages,
    uploadsFiles: true,
    setsStatuses: works,
    processesFiles: works,
    keepsTaskTemplates: works,
    managesWebhooks: manages,
    managesStatuses: manages,
    correctsTags: works,
  };
}

/** Roles that somebody with `role` may give, strongest first. Only an owner makes owners. */
export function rolesToGive(role: Role): Role[] {
  if (role === "owner") return ["owner", "admin", "member", "guest"];
  return role === "admin" ? ["admin", "member", "guest"] : [];
}

/** Whether `role` may change the role and access of somebody who is `target`. Only an owner acts upon owners. */
export const mayManage = (role: Role, target: Role): boolean => role === "owner" || (role === "admin" && target !== "owner");
