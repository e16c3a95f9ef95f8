/** Decides what the interface offers a role; the service checks every request again. */
import type { Role } from "../../../contract/records.ts";

export interface RolePermissions {
  /** Sees every project and manages members. */
  canManageMembers: boolean;
  canCreateProjects: boolean;
  canCreateGroups: boolean;
  canEditProjects: boolean;
  canAddMembers: boolean;
  /** Removes other people from a project; everybody may leave. */
  canRemoveMembers: boolean;
  canInvite: boolean;
  /** Everybody who sees a project may upload files to its chat, including guests. */
  canUploadFiles: boolean;
  canSetStatuses: boolean;
  /** Reruns a file's processing. */
  canProcessFiles: boolean;
  /** Creates and deletes task templates of the team. */
  canManageTaskTemplates: boolean;
  canManageWebhooks: boolean;
  /** Changes the statuses that the team gives its files. */
  canManageStatuses: boolean;
  /** Corrects a file's tempo and key by hand. */
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

/** Returns the roles that `role` may assign, strongest first. Only an owner makes owners. */
export function assignableRoles(role: Role): Role[] {
  if (role === "owner") return ["owner", "admin", "member", "guest"];
  return role === "admin" ? ["admin", "member", "guest"] : [];
}

/** Returns whether `role` may change the role and access of somebody who is `target`. Only an owner manages owners. */
export const canManageRole = (role: Role, target: Role): boolean => role === "owner" || (role === "admin" && target !== "owner");
