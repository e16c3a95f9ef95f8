/** Agents: accounts of programs. Their tasks are a module of their own. */
import type { ServiceModule } from "../../http/module.ts";
import type { AgentsDeps } from "./agents.ts";
import { registerAgentRoutes } from "./routes.ts";
import { type AgentServices, createAgentServices } from "./services.ts";

export function createAgentsModule(deps: AgentsDeps): ServiceModule<AgentServices> {
  const services = createAgentServices(deps);
  return {
    services,
    features: ["agents"],
    register({ route }) {
      registerAgentRoutes(route, services, deps.publicUrl);
      return {};
    },
  };
}
