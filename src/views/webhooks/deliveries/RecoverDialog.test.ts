import { expect, test } from "vitest";
import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { earliestRecovery, recoveryStart } from "./RecoverDialog.tsx";

const NOW = new Date(2026, 10, 21, 14, 0, 30).getTime();
const DAY = 86_400_000;
const endpoint = (overrides: Partial<WebhookEndpoint>) => ({ failing_since: null, disabled_at: null, held_count: 0, ...overrides }) as WebhookEndpoint;
const ago = (ms: number) => new Date(NOW - ms).toISOString();

test("recovery starts at the whole minute in which the endpoint began to fail", () => {
  expect(recoveryStart(endpoint({ failing_since: ago(3_600_000) }), NOW)).toBe(new Date(2026, 10, 21, 13, 0, 0).getTime());
  expect(recoveryStart(endpoint({ failing_since: ago(6 * DAY), disabled_at: ago(DAY) }), NOW)).toBe(NOW - 6 * DAY - 30_000);
  expect(recoveryStart(endpoint({}), NOW)).toBe(NOW - DAY - 30_000);
});

test("recovery starts no earlier than the service allows", () => {
  expect(recoveryStart(endpoint({ failing_since: ago(40 * DAY) }), NOW)).toBe(earliestRecovery(NOW));
  expect(recoveryStart(endpoint({ held_count: 3 }), NOW)).toBe(earliestRecovery(NOW));
  expect(NOW - earliestRecovery(NOW)).toBeLessThan(14 * DAY);
});
