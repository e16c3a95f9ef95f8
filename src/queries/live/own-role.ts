/** Refetches the cached data that depends on the user's role after the role has changed. */
import type { QueryClient } from "@tanstack/react-query";
import type { Role } from "../../../contract/records.ts";
import { groupQueries } from "../groups/options.ts";
import { inviteQueries } from "../invites/options.ts";
import { memberQueries } from "../members/options.ts";
import { messageKeys } from "../messages/keys.ts";
import { projectQueries } from "../projects/options.ts";
import { permissionsOf } from "../session/rights.ts";
import { teamQueries } from "../teams/options.ts";
import { webhookKeys } from "../webhooks/keys.ts";

/** Refetches role-dependent data, and removes from the cache what the user may no longer see. */
export async function refreshForRole(client: QueryClient, role: Role): Promise<void> {
  const invitesKey = inviteQueries.open().queryKey;
  if (permissionsOf(role).canInvite) void client.invalidateQueries({ queryKey: invitesKey });
  else client.removeQueries({ queryKey: invitesKey });
  if (permissionsOf(role).canManageWebhooks) void client.invalidateQueries({ queryKey: webhookKeys.all });
  else client.removeQueries({ queryKey: webhookKeys.all });
  void client.invalidateQueries({ queryKey: memberQueries.all().queryKey });
  await Promise.all([refreshProjects(client), refreshGroups(client)]);
}

async function refreshProjects(client: QueryClient): Promise<void> {
  const listKey = projectQueries.all().queryKey;
  await client.invalidateQueries({ queryKey: listKey, exact: true, refetchType: "all" });
  const listState = client.getQueryState(listKey);
  // Without a fresh list it is unknown which projects are no longer visible.
  if (!listState?.data || listState.isInvalidated) return;
  const ids = new Set(listState.data.map(({ id }) => id));
  client.removeQueries({
    predicate: ({ queryKey: [kind, id] }) =>
      (kind === projectQueries.all().queryKey[0] || kind === messageKeys.all[0]) && typeof id === "number" && !ids.has(id),
  });
  await client.invalidateQueries({ queryKey: listKey, predicate: ({ queryKey }) => queryKey.length > 1 });
}

/** Groups are fetched per team, so the teams come first. */
async function refreshGroups(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: teamQueries.all().queryKey, refetchType: "all" });
  await client.invalidateQueries({ queryKey: groupQueries.all().queryKey });
}
