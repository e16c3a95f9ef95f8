/** Queries the tasks of agents and their runs, and changes them. */
import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import * as operations from "../../../contract/operations/agent-tasks.ts";
import { MODEL_FEATURE } from "../../../contract/agent-task-records.ts";
import { listFiles } from "../../../contract/operations/files-view.ts";
import type { BodyOf } from "../../api/http.ts";
import type { ClientData } from "../../client/client.ts";
import { useService } from "../service.ts";
import { AGENT_TASKS_KEY } from "./agent-keys.ts";
import { CURSOR_PAGES, fetchAll, useOperation } from "../operations.ts";

const RUNS_PER_PAGE = 20;
const RECENT_FILES = 200;

const agentTaskQueries = {
  ofAgent: (agentId: number) =>
    queryOptions({
      queryKey: [...AGENT_TASKS_KEY, "agent", agentId],
      queryFn: fetchAll((api, { cursor, limit }, options) =>
        api.call(operations.listAgentTasks, { params: { agent_id: agentId }, query: { cursor, limit: String(limit) } }, options),
      ),
    }),
  /** Files of a project, those first that were changed last. */
  recentFiles: (projectId: number) =>
    queryOptions({
      queryKey: [...AGENT_TASKS_KEY, "files", projectId],
      queryFn: async ({ signal, meta }) => {
        const query = { kind: "audio,video,image,document", deep: "true", sort: "changed", order: "desc", limit: RECENT_FILES } as const;
        return (await meta!.client.api.call(listFiles, { params: { project_id: projectId }, query }, { signal })).data;
      },
    }),
  runs: (taskId: number) =>
    infiniteQueryOptions({
      queryKey: [...AGENT_TASKS_KEY, "runs", taskId],
      queryFn: ({ pageParam: cursor, signal, meta }) =>
        meta!.client.api.call(operations.listAgentTaskRuns, { params: { task_id: taskId }, query: { cursor, limit: String(RUNS_PER_PAGE) } }, { signal }),
      ...CURSOR_PAGES,
    }),
};

/** Returns the tasks of an agent in the projects that the user sees, newest first. */
export const useAgentTasks = (agentId: number) => useQuery(agentTaskQueries.ofAgent(agentId));

/** Returns the runs of a task, newest first. */
export function useAgentTaskRuns(taskId: number) {
  const query = useInfiniteQuery(agentTaskQueries.runs(taskId));
  return { ...query, runs: query.data?.pages.flatMap(({ data }) => data) };
}

/** Returns whether the service has a language model, which some actions need. */
export const useHasModel = (): boolean => useService().data?.features?.includes(MODEL_FEATURE) ?? false;

/** Returns the files of a project that were changed last, for choosing one. */
export const useRecentFiles = (projectId: number) => useQuery(agentTaskQueries.recentFiles(projectId));

const refetch = ({ queryClient }: ClientData) => queryClient.invalidateQueries({ queryKey: AGENT_TASKS_KEY });

export const useCreateAgentTask = (agentId: number) =>
  useOperation(operations.createAgentTask, (body: BodyOf<typeof operations.createAgentTask>) => ({ params: { agent_id: agentId }, body }), {
    isIdempotent: true,
    onSuccess: refetch,
  });

export const useUpdateAgentTask = () =>
  useOperation(
    operations.updateAgentTask,
    ({ id, ...body }: BodyOf<typeof operations.updateAgentTask> & { id: number }) => ({ params: { task_id: id }, body }),
    { onSuccess: refetch },
  );

export const useDeleteAgentTask = () => useOperation(operations.deleteAgentTask, (task_id: number) => ({ params: { task_id } }), { onSuccess: refetch });

export const useRunAgentTask = () =>
  useOperation(operations.runAgentTask, ({ id, ...body }: BodyOf<typeof operations.runAgentTask> & { id: number }) => ({ params: { task_id: id }, body }), {
    onSuccess: refetch,
  });

export const useCancelAgentTaskRun = () => useOperation(operations.cancelAgentTaskRun, (run_id: number) => ({ params: { run_id } }), { onSuccess: refetch });
