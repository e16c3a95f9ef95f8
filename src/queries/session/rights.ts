/** What a role may do, as the interface shows it. The service decides again for itself. */
import type { Role } from "../../../contract/records.ts";

export interface RolePermissions {
  /** Sees every project and manages people. */
  canManageMembers: boolean;
  canCreateProjects: boolean;
  canCreateGroups: boolean;
  canEditProjects: boolean;
  canAddMembers: boolean;
  /** Takes other people out of a project; leaving is everybody's own. */
  canRemoveMembers: boolean;
  canInvite: boolean;
  /** Everybody who sees a project brings files into its chat, guests too. */
  canUploadFiles: boolean;
  canSetStatuses: boolean;
  /** Has a file's processing run again. */
  canProcessFiles: boolean;
  /** Keeps lists of tasks as templates of the team, and deletes them. */
  canManageTaskTemplates: boolean;
  canManageWebhooks: boolean;
  /** Changes the statuses that the team gives its files. */
  canManageStatuses: boolean;
  /** Puts a file's tempo and key right by hand. */
  canCorrectTags: boolean;
}

export function permissionsOf(role: Role): RolePermissions {
  const isAdmin = role === "owner" || role === "admin";
  const isMember = role !== "guest";
  return {
    canManageMembers: isAdmin,
    canCreateProjects: isMember,
    canCreateGroups: isMember,
    canEditProjects: isMember,
    canAddMembers: isMember,
    canRemoveMembers: isAdmin,
    canInvite: isAdmin,
    canUploadFiles: true,
    canSetStatuses: isMember,
    canProcessFiles: isMember,
    canManageTaskTemplates: isMember,
    canManageWebhooks: isAdmin,
    canManageStatuses: isAdmin,
    canCorrectTags: isMember,
  };
}

/** Roles that somebody with `role` may give, strongest first. Only an owner makes owners. */
export function assignableRoles(role: Role): Role[] {
  if (role === "owner") return ["owner", "admin", "member", "guest"];
  return role === "admin" ? ["admin", "member", "guest"] : [];
}

/** Whether `role` may change the role and access of somebody who is `target`. Only an owner acts upon owners. */
export const canManageRole = (role: Role, target: Role): boolean => role === "owner" || (role === "admin" && target !== "owner");
