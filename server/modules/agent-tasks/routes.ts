/** Routes of agent tasks and their runs. */
import * as operations from "../../../contract/operations/agent-tasks.ts";
import { encodeCursor, parsePage } from "../../http/paging.ts";
import { list, single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import { presentRun, presentTask } from "./presenter.ts";
import type { AgentTaskServices } from "./services.ts";

export function registerAgentTaskRoutes(route: Route, { agentTasks, agentTaskRuns }: AgentTaskServices): void {
  route(operations.listAgentTasks, async ({ actor, params, query }) => {
    const { after, limit } = parsePage(query);
    const { tasks, next } = await agentTasks.list(actor, params.agent_id, query.project_id ?? null, after, limit);
    return list(tasks.map(presentTask), { next_cursor: encodeCursor(next) });
  });
  route(operations.createAgentTask, async ({ actor, params, body, idempotencyKey }) => {
    const { project_id, action, name, file_id, trigger, steps, result, prompt, since_hours } = body;
    const content = { name, fileId: file_id ?? null, trigger, steps: steps ?? [], result: result ?? "message", prompt: prompt ?? null };
    const input = { projectId: project_id, action, ...content, sinceHours: since_hours ?? null };
    return single("agent_task", presentTask(await agentTasks.create(actor, params.agent_id, input, idempotencyKey)));
  });
  route(operations.getAgentTask, async ({ actor, params }) => single("agent_task", presentTask(await agentTasks.get(actor, params.task_id))));
  route(operations.updateAgentTask, async ({ actor, params, body: { file_id, since_hours, ...changes } }) =>
    single("agent_task", presentTask(await agentTasks.update(actor, params.task_id, { ...changes, fileId: file_id, sinceHours: since_hours }))),
  );
  route(operations.deleteAgentTask, ({ actor, params }) => agentTasks.remove(actor, params.task_id).then(() => undefined));

  route(operations.runAgentTask, async ({ actor, params, body, idempotencyKey }) =>
    single(
      "agent_task_run",
      presentRun(await agentTaskRuns.start(actor, params.task_id, { fileId: body.file_id ?? null, prompt: body.prompt ?? null }, idempotencyKey)),
    ),
  );
  route(operations.listAgentTaskRuns, async ({ actor, params, query }) => {
    const { after, limit } = parsePage(query);
    const { runs, next } = await agentTaskRuns.list(actor, params.task_id, query.state ?? null, after, limit);
    return list(runs.map(presentRun), { next_cursor: encodeCursor(next) });
  });
  route(operations.getAgentTaskRun, async ({ actor, params }) => single("agent_task_run", presentRun(await agentTaskRuns.get(actor, params.run_id))));
  route(operations.cancelAgentTaskRun, async ({ actor, params }) => single("agent_task_run", presentRun(await agentTaskRuns.cancel(actor, params.run_id))));
}
