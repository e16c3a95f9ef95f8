/** Event subscriptions: agents are sent the events of their projects that they asked for. */
import type { ServiceModule } from "../../http/module.ts";
import type { WebhookDeps } from "../webhooks/deps.ts";
import { registerAgentSubscriptionRoutes } from "./routes.ts";
import { type AgentSubscriptionServices, createAgentSubscriptionServices } from "./services.ts";

export function createAgentSubscriptionsModule(deps: WebhookDeps): ServiceModule<AgentSubscriptionServices> {
  const services = createAgentSubscriptionServices(deps);
  return {
    services,
    features: ["agent-subscriptions"],
    register({ route }) {
      registerAgentSubscriptionRoutes(route, services);
      return {};
    },
  };
}
