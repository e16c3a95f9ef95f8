/** Agent tasks: what agents do at a time, by a schedule, after an event or by hand. */
import type { ServiceModule } from "../../http/module.ts";
import type { AgentTaskDeps } from "./deps.ts";
import { registerAgentTaskRoutes } from "./routes.ts";
import { type AgentTaskRuns, createAgentTaskRuns } from "./runs.ts";
import { type AgentTasks, createAgentTasks } from "./tasks.ts";
import { createTriggers, type Triggers } from "./triggers.ts";

export interface AgentTaskServices {
  agentTasks: AgentTasks;
  agentTaskRuns: AgentTaskRuns;
  agentTaskTriggers: Triggers;
}

export function createAgentTasksModule(deps: AgentTaskDeps): ServiceModule<AgentTaskServices> {
  const services = { agentTasks: createAgentTasks(deps), agentTaskRuns: createAgentTaskRuns(deps), agentTaskTriggers: createTriggers(deps) };
  return {
    services,
    features: ["agent-tasks"],
    register({ route }) {
      registerAgentTaskRoutes(route, services);
      return { "delete old runs of agent tasks": () => services.agentTaskRuns.erase() };
    },
  };
}
