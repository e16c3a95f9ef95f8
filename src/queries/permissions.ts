/** Asks the policy what to offer the signed-in user, and refetches the data that depends on the role after it has changed. */
import { createContext, use, useMemo } from "react";
import { featureOfRule } from "../../contract/offered-operations.ts";
import { changesContent, isAllowed, type NoFacts, type RuleFor } from "../../contract/policy.ts";
import type { Role } from "../../contract/records.ts";
import type { ClientData } from "../client/client.ts";
import { AGENT_SUBSCRIPTIONS_KEY, AGENT_TASKS_KEY, AGENTS_KEY } from "./agents/agent-keys.ts";
import { inviteQueries } from "./invites.ts";
import { memberQueries } from "./members.ts";
import { messageKeys } from "./messages/cache-updates.ts";
import { projectQueries } from "./projects.ts";
import { useHasFeature } from "./service.ts";
import { sessionQueries, useOptionalSession, useSession } from "./session.ts";
import { groupQueries, teamQueries } from "./teams.ts";
import { webhookKeys } from "./webhooks/delivery-filter.ts";

/** Query key of the audit log. */
export const AUDIT_KEY = ["audit"] as const;

/** True around everything that shows an archived project. `InProject` sets it outside the project's own pages. */
export const ArchivedContext = createContext(false);

/**
 * Returns whether the service has this action and the policy allows it the signed-in user, so that the interface offers it; nothing is offered without a
 * sign-in.
 */
export function useCan<const Facts extends object = NoFacts>(rule: RuleFor<Facts>, facts?: Facts): boolean {
  const session = useOptionalSession();
  const isOffered = useHasFeature(featureOfRule(rule));
  const isArchived = use(ArchivedContext);
  return session !== null && isOffered && can({ role: session.role, isArchived }, rule, facts);
}

/** The account and role by which pure functions ask the policy about records. */
export interface CurrentUser {
  accountId: number;
  role: Role;
  /** True for what is shown of an archived project, in which nothing can be changed. */
  isArchived: boolean;
}

/** Returns whether the policy allows the user this action, which changes nothing in an archived project. */
export const can = <const Facts extends object = NoFacts>(user: Pick<CurrentUser, "role" | "isArchived">, rule: RuleFor<Facts>, facts?: Facts): boolean =>
  !(user.isArchived && changesContent(rule)) && isAllowed(rule, user.role, facts);

/** Returns the signed-in user, as a stable object. */
export function useCurrentUser(): CurrentUser {
  const { account, role } = useSession();
  const isArchived = use(ArchivedContext);
  return useMemo(() => ({ accountId: account.id, role, isArchived }), [account.id, role, isArchived]);
}

/** Refetches the session and, if the account's role has changed, everything that depends on it. */
export async function refetchRole(client: ClientData): Promise<void> {
  const { queryKey } = sessionQueries.current();
  const previousRole = client.queryClient.getQueryData(queryKey)?.role;
  await client.queryClient.invalidateQueries({ queryKey, exact: true, refetchType: "all" });
  const role = client.queryClient.getQueryData(queryKey)?.role;
  if (role !== undefined && previousRole !== undefined && role !== previousRole) await refreshForRole(client, role);
}

/** Refetches role-dependent data, and removes from the cache what the user may no longer see. */
export async function refreshForRole(client: ClientData, role: Role): Promise<void> {
  const invitesKey = inviteQueries.pending().queryKey;
  if (isAllowed("invite.manage", role)) void client.queryClient.invalidateQueries({ queryKey: invitesKey });
  else client.queryClient.removeQueries({ queryKey: invitesKey });
  const { queryKey: passwordResetsKey } = memberQueries.passwordResets();
  if (isAllowed("password_reset.manage", role)) void client.queryClient.invalidateQueries({ queryKey: passwordResetsKey });
  else client.queryClient.removeQueries({ queryKey: passwordResetsKey });
  if (!isAllowed("audit.read", role)) client.queryClient.removeQueries({ queryKey: AUDIT_KEY });
  if (isAllowed("webhook.manage", role)) void client.queryClient.invalidateQueries({ queryKey: webhookKeys.all });
  else client.queryClient.removeQueries({ queryKey: webhookKeys.all });
  if (!isAllowed("agent_task.read", role)) client.queryClient.removeQueries({ queryKey: AGENT_TASKS_KEY });
  if (!isAllowed("agent.manage", role)) client.queryClient.removeQueries({ queryKey: AGENT_SUBSCRIPTIONS_KEY });
  void client.queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
  void client.queryClient.invalidateQueries({ queryKey: memberQueries.all().queryKey });
  await Promise.all([refreshProjects(client), refreshGroups(client)]);
}

async function refreshProjects(client: ClientData): Promise<void> {
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
async function refreshGroups(client: ClientData): Promise<void> {
  await client.queryClient.invalidateQueries({ queryKey: teamQueries.all().queryKey, refetchType: "all" });
  await client.queryClient.invalidateQueries({ queryKey: groupQueries.all().queryKey });
}
