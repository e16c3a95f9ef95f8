/**
 * Decides what the interface offers a role, and refetches the data that depends on the role after it has changed. The service checks every request
 * again.
 */
import type { Role } from "../../contract/records.ts";
import type { Client } from "../client/client.ts";
import { inviteQueries } from "./invites.ts";
import { memberQueries } from "./members.ts";
import { messageKeys } from "./messages/cache-updates.ts";
import { projectQueries } from "./projects.ts";
import { sessionQueries, useSession } from "./session.ts";
import { groupQueries, teamQueries } from "./teams.ts";
import { webhookKeys } from "./webhooks/webhook-keys.ts";

interface RolePermissions {
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

/** Returns whether `role` may change the role and access of a member whose role is `target`. Only an owner manages owners. */
export const canManageRole = (role: Role, target: Role): boolean => role === "owner" || (role === "admin" && target !== "owner");

/** Returns what the signed-in user may do. */
export const usePermissions = () => permissionsOf(useSession().role);

/** Refetches the session and, if the account's role has changed, everything that depends on it. */
export async function refetchRole(client: Client): Promise<void> {
  const { queryKey } = sessionQueries.current();
  const previousRole = client.queryClient.getQueryData(queryKey)?.role;
  await client.queryClient.invalidateQueries({ queryKey, exact: true, refetchType: "all" });
  const role = client.queryClient.getQueryData(queryKey)?.role;
  if (role !== undefined && previousRole !== undefined && role !== previousRole) await refreshForRole(client, role);
}

/** Refetches role-dependent data, and removes from the cache what the user may no longer see. */
export async function refreshForRole(client: Client, role: Role): Promise<void> {
  const invitesKey = inviteQueries.pending().queryKey;
  if (permissionsOf(role).canInvite) void client.queryClient.invalidateQueries({ queryKey: invitesKey });
  else client.queryClient.removeQueries({ queryKey: invitesKey });
  if (permissionsOf(role).canManageWebhooks) void client.queryClient.invalidateQueries({ queryKey: webhookKeys.all });
  else client.queryClient.removeQueries({ queryKey: webhookKeys.all });
  void client.queryClient.invalidateQueries({ queryKey: memberQueries.all().queryKey });
  await Promise.all([refreshProjects(client), refreshGroups(client)]);
}

async function refreshProjects(client: Client): Promise<void> {
  const listKey = projectQueries.all().queryKey;
  await client.queryClient.invalidateQueries({ queryKey: listKey, exact: true, refetchType: "all" });
  const listState = client.queryClient.getQueryState(listKey);
  // Without a fresh list it is unknown which projects are no longer visible.
  if (!listState?.data || listState.isInvalidated) return;
  const ids = new Set(listState.data.map(({ id }) => id));
  client.queryClient.removeQueries({
    predicate: ({ queryKey: [kind, id] }) =>
      (kind === projectQueries.all().queryKey[0] || kind === messageKeys.all[0]) && typeof id === "number" && !ids.has(id),
  });
  await client.queryClient.invalidateQueries({ queryKey: listKey, predicate: ({ queryKey }) => queryKey.length > 1 });
}

/** Groups are fetched per team, so the teams come first. */
async function refreshGroups(client: Client): Promise<void> {
  await client.queryClient.invalidateQueries({ queryKey: teamQueries.all().queryKey, refetchType: "all" });
  await client.queryClient.invalidateQueries({ queryKey: groupQueries.all().queryKey });
}
