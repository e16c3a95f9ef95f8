import type { WebhookDeps } from "../webhooks/deps.ts";
import { createSubscriptionDeliveries } from "./deliveries.ts";
import { createSubscriptions } from "./subscriptions.ts";

export const createAgentSubscriptionServices = (deps: WebhookDeps) => ({
  agentSubscriptions: createSubscriptions(deps),
  agentDeliveries: createSubscriptionDeliveries(deps),
});
export type AgentSubscriptionServices = ReturnType<typeof createAgentSubscriptionServices>;
