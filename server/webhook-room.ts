/** Joins webhooks of the domain to the room that delivers them. */
import { WEBHOOK_FEATURES } from "../contract/webhook-features.ts";
import { createGuard, GuardError, type Guard, type GuardOptions } from "./delivery/guard.ts";
import type { DomainDeps } from "./domain/deps.ts";
import type { WebhookDeps } from "./domain/webhooks/deps.ts";
import { createSecretBox } from "./domain/webhooks/secrets.ts";
import { SECOND } from "./lib/clock.ts";
import { deriveKey } from "./lib/secrets.ts";

/** A try's own deadline, and a second for the way there and back. */
export const TEST_WAIT_MS = 16 * SECOND;

function faultOf(guard: Guard, url: string): string | null {
  try {
    guard.demandUrl(url);
    return null;
  } catch (error) {
    if (error instanceof GuardError) return error.message;
    throw error;
  }
}

export interface WebhookDepsOptions {
  deps: DomainDeps;
  masterKey: Buffer;
  /** What the operator allows. */
  rules: GuardOptions;
  testWaitMs: number;
}

export function createWebhookDeps({ deps, masterKey, rules, testWaitMs }: WebhookDepsOptions): WebhookDeps {
  const guard = createGuard(rules);
  return { ...deps, secrets: createSecretBox(deriveKey(masterKey, "webhook secrets")), faultOfUrl: (url) => faultOf(guard, url), testWaitMs };
}

/** What `GET /api/v2/service` says of webhooks. */
export const webhookFeatures = ({ allowHttp, allowCidrs }: GuardOptions): string[] => [
  WEBHOOK_FEATURES.webhooks,
  ...(allowHttp ? [WEBHOOK_FEATURES.http] : []),
  ...(allowCidrs.length > 0 ? [WEBHOOK_FEATURES.local] : []),
];
