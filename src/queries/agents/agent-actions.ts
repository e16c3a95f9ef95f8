/** Queries the log of what an agent did, and undoes it. */
import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import * as operations from "../../../contract/operations/agent-actions.ts";
import type { ClientData } from "../../client/client.ts";
import { CURSOR_PAGES, useOperation } from "../operations.ts";
import { AGENT_ACTIONS_KEY } from "./agent-keys.ts";

const PAGE_SIZE = 20;

/** null: not filtered. */
export interface ActionFilter {
  projectId: number | null;
  runId: number | null;
}

const actionsQuery = (agentId: number, { projectId, runId }: ActionFilter) =>
  infiniteQueryOptions({
    queryKey: [...AGENT_ACTIONS_KEY, agentId, projectId, runId],
    queryFn: ({ pageParam: cursor, signal, meta }) => {
      const query = { cursor, limit: String(PAGE_SIZE), project_id: projectId?.toString(), run_id: runId?.toString() };
      return meta!.client.api.call(operations.listAgentActions, { params: { agent_id: agentId }, query }, { signal });
    },
    ...CURSOR_PAGES,
  });

export const ALL_ACTIONS: ActionFilter = { projectId: null, runId: null };

/** Returns what the agent did in the projects that the user sees, newest first. */
export function useAgentActions(agentId: number, filter: ActionFilter, enabled = true) {
  const query = useInfiniteQuery({ ...actionsQuery(agentId, filter), enabled });
  return { ...query, actions: query.data?.pages.flatMap(({ data }) => data) };
}

const refetch = ({ queryClient }: ClientData) => queryClient.invalidateQueries({ queryKey: AGENT_ACTIONS_KEY });

/** Undoes one action, whose id it is called with. */
export const useUndoAgentAction = (agentId: number) =>
  useOperation(operations.undoAgentAction, (action_id: number) => ({ params: { agent_id: agentId, action_id } }), { onSuccess: refetch });

/** Undoes what can be undone of a run, whose id it is called with. */
export const useUndoAgentRun = (agentId: number) =>
  useOperation(operations.undoAgentRun, (run_id: number) => ({ params: { agent_id: agentId, run_id } }), { onSuccess: refetch });
