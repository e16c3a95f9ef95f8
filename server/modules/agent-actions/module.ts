/** The log of what agents do, and its undo. `server/events/agent-actions.ts` writes it. */
import type { ServiceModule } from "../../http/module.ts";
import { type AgentActions, createAgentActions } from "./agent-actions.ts";
import type { AgentActionDeps, ReverseServices } from "./deps.ts";
import { registerAgentActionRoutes } from "./routes.ts";

export function createAgentActionsModule(deps: AgentActionDeps, reverseServices: ReverseServices): ServiceModule<{ agentActions: AgentActions }> {
  const agentActions = createAgentActions(deps, reverseServices);
  return {
    services: { agentActions },
    features: [],
    register({ route }) {
      registerAgentActionRoutes(route, agentActions);
      return { "delete old actions of agents": () => agentActions.erase() };
    },
  };
}
