import type { AgentTaskDeps } from "./deps.ts";
import { createAgentTaskRuns } from "./runs.ts";
import { createAgentTasks } from "./tasks.ts";
import { createTriggers } from "./triggers.ts";

export const createAgentTaskServices = (deps: AgentTaskDeps) => ({
  agentTasks: createAgentTasks(deps),
  agentTaskRuns: createAgentTaskRuns(deps),
  agentTaskTriggers: createTriggers(deps),
});

export type AgentTaskServices = ReturnType<typeof createAgentTaskServices>;
