import { createDeliveries } from "./deliveries.ts";
import type { WebhookDeps } from "./deps.ts";
import { createEndpoints } from "./endpoints.ts";

export const createWebhookServices = (deps: WebhookDeps) => ({ webhookEndpoints: createEndpoints(deps), deliveries: createDeliveries(deps) });

export type WebhookServices = ReturnType<typeof createWebhookServices>;
