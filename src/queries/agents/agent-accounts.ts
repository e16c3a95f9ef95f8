/** Tells agents from people, by the list of everybody whom the user can see. */
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { t } from "../../lib/texts/agent-badge.ts";
import { memberQueries } from "../members.ts";
import { useHasFeature } from "../service.ts";

interface AnyAccount {
  id: number;
  is_agent?: boolean | undefined;
}

const NO_IDS: ReadonlySet<number> = new Set();

/** Returns the ids of the agents in a list of accounts. */
export const toAgentIds = (members: readonly AnyAccount[]): ReadonlySet<number> =>
  new Set(members.filter(({ is_agent }) => is_agent === true).map(({ id }) => id));

/** Returns the ids of all agents. */
export const useAgentIds = (): ReadonlySet<number> =>
  useQuery({ ...memberQueries.all(), enabled: useHasFeature("members"), select: toAgentIds }).data ?? NO_IDS;

/** Returns whether an account is an agent; renders again only if that changes. */
export function useIsAgent(accountId: number | null): boolean {
  const select = useCallback((members: readonly AnyAccount[]) => members.some(({ id, is_agent }) => id === accountId && is_agent === true), [accountId]);
  return useQuery({ ...memberQueries.all(), enabled: useHasFeature("members"), select }).data ?? false;
}

/** Returns the name as a screen reader says it, which includes that it is the name of an agent. */
export const accessibleName = (name: string, isAgent: boolean): string => (isAgent ? t("named", { name }) : name);
