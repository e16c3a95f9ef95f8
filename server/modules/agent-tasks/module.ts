/** Agent tasks: what agents do at a time, by a schedule, after an event or by hand. */
import { MODEL_FEATURE } from "../../../contract/agent-task-records.ts";
import type { ServiceModule } from "../../http/module.ts";
import type { AgentTaskDeps } from "./deps.ts";
import { registerAgentTaskRoutes } from "./routes.ts";
import { type AgentTaskServices, createAgentTaskServices } from "./services.ts";

export function createAgentTasksModule(deps: AgentTaskDeps): ServiceModule<AgentTaskServices> {
  const services = createAgentTaskServices(deps);
  return {
    services,
    features: deps.model ? ["agent-tasks", MODEL_FEATURE] : ["agent-tasks"],
    register({ route }) {
      registerAgentTaskRoutes(route, services);
      return { "delete old runs of agent tasks": () => services.agentTaskRuns.erase() };
    },
  };
}
