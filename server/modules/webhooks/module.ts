/** Webhook endpoints, their events and the log of deliveries. */
import { WEBHOOK_FEATURES } from "../../../contract/webhook-features.ts";
import { createGuard, GuardError, type Guard, type GuardOptions } from "../../delivery/guard.ts";
import type { ServiceModule } from "../../http/module.ts";
import { SECOND } from "../../lib/clock.ts";
import { deriveKey } from "../../lib/crypto.ts";
import type { NotifyDeps } from "../notifications/notify.ts";
import type { WebhookDeps } from "./deps.ts";
import { deleteOldDeliveries } from "./retention.ts";
import { registerWebhookRoutes } from "./routes.ts";
import { createEndpointSecrets } from "./secrets.ts";
import { createWebhookServices, type WebhookServices } from "./services.ts";

/** An attempt's own timeout plus one second for the round trip. */
export const TEST_WAIT_MS = 16 * SECOND;

function findUrlIssue(guard: Guard, url: string): string | null {
  try {
    guard.assertUrlAllowed(url);
    return null;
  } catch (error) {
    if (error instanceof GuardError) return error.message;
    throw error;
  }
}

export interface WebhookDepsOptions {
  deps: NotifyDeps;
  masterKey: Buffer;
  /** Endpoint addresses that the operator allows. */
  guardOptions: GuardOptions;
  testWaitMs: number;
}

export function createWebhookDeps({ deps, masterKey, guardOptions, testWaitMs }: WebhookDepsOptions): WebhookDeps {
  const guard = createGuard(guardOptions);
  return { ...deps, secrets: createEndpointSecrets(deriveKey(masterKey, "webhook secrets")), findUrlIssue: (url) => findUrlIssue(guard, url), testWaitMs };
}

/** Webhook entries of `features` in `GET /api/v2/service`. */
export const webhookFeatures = ({ allowHttp, allowCidrs }: GuardOptions): string[] => [
  WEBHOOK_FEATURES.webhooks,
  WEBHOOK_FEATURES.checkUrl,
  WEBHOOK_FEATURES.projects,
  ...(allowHttp ? [WEBHOOK_FEATURES.http] : []),
  ...(allowCidrs.length > 0 ? [WEBHOOK_FEATURES.local] : []),
];

export function createWebhooksModule(deps: WebhookDeps, guardOptions: GuardOptions): ServiceModule<WebhookServices> {
  const services = createWebhookServices(deps);
  return {
    services,
    features: webhookFeatures(guardOptions),
    register({ route }) {
      registerWebhookRoutes(route, services);
      return { "delete old webhook deliveries": () => deleteOldDeliveries(deps) };
    },
  };
}
