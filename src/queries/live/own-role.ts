/** What somebody may see follows from their role: after it has changed, what is cached by it is loaded again. */
import type { QueryClient } from "@tanstack/react-query";
import type { Role } from "../../../contract/records.ts";
import { groupQueries } from "../groups/options.ts";
import { inviteQueries } from "../invites/options.ts";
import { memberQueries } from "../members/options.ts";
import { messageKeys } from "../messages/keys.ts";
import { projectQueries } from "../projects/options.ts";
import { rightsOf } from "../session/rights.ts";
import { teamQueries } from "../teams/options.ts";
import { webhookKeys } from "../webhooks/keys.ts";

/** Loads again what depends on the role, and takes out of the cache what is no longer to be seen. */
export async function renewForRole(client: QueryClient, role: Role): Promise<void> {
  const invites = inviteQueries.open().queryKey;
  if (rightsOf(role).invites) void client.invalidateQueries({ queryKey: invites });
  else client.removeQueries({ queryKey: invites });
  if (rightsOf(role).managesWebhooks) void client.invalidateQueries({ queryKey: webhookKeys.all });
  else client.removeQueries({ queryKey: webhookKeys.all });
  void client.invalidateQueries({ queryKey: memberQueries.all().queryKey });
  await Promise.all([renewProjects(client), renewGroups(client)]);
}

async function renewProjects(client: QueryClient): Promise<void> {
  const list = projectQueries.all().queryKey;
  await client.invalidateQueries({ queryKey: list, exact: true, refetchType: "all" });
  const seen = client.getQueryState(list);
  // Without a fresh list nobody knows what is no longer seen.
  if (!seen?.data || seen.isInvalidated) return;
  const ids = new Set(seen.data.map(({ id }) => id));
  client.removeQueries({
    predicate: ({ queryKey: [kind, id] }) =>
      (kind === projectQueries.all().queryKey[0] || kind === messageKeys.all[0]) && typeof id === "number" && !ids.has(id),
  });
  await client.invalidateQueries({ queryKey: list, predicate: ({ queryKey }) => queryKey.length > 1 });
}

/** Groups are asked for by team: the teams come first. */
async function renewGroups(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: teamQueries.all().queryKey, refetchType: "all" });
  await client.invalidateQueries({ queryKey: groupQueries.all().queryKey });
}
