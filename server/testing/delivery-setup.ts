/** Setup for delivery engine tests: a shared receiver, and a new clock and database for each test. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { openDeliveryHarness, type DeliveryHarness } from "./delivery-harness.ts";
import type { ENGINES } from "./engines.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";
import { startReceiver, type Receiver } from "./receiver.ts";

/** Call inside `describe`; `harness`, `receiver` and `clock` are only available inside tests. */
export function setupDeliveryTests(engine: (typeof ENGINES)[number]) {
  let receiver: Receiver;
  let harness: DeliveryHarness;
  let clock: ManualClock;
  beforeAll(async () => void (receiver = await startReceiver()));
  afterAll(() => receiver.close());
  beforeEach(async () => {
    receiver.requests.length = 0;
    clock = createManualClock(Date.now());
    harness = await openDeliveryHarness(engine, clock);
  });
  afterEach(async () => {
    await harness.close();
    // eslint-disable-next-line vitest/no-standalone-expect -- applies after every test
    expect(harness.warnings).toEqual([]);
  });

  const loadState = async (id: number): Promise<string> => (await harness.loadDelivery(id)).state;
  return {
    get receiver() {
      return receiver;
    },
    get harness() {
      return harness;
    },
    get clock() {
      return clock;
    },
    /** Creates an endpoint at this path of the receiver. */
    createEndpointAt: (path: string, overrides: Parameters<DeliveryHarness["createEndpoint"]>[1] = {}) =>
      harness.createEndpoint(`${receiver.base}${path}`, overrides),
    loadState,
    waitForState: (id: number, expected: string) => harness.waitUntil(`delivery ${id} ${expected}`, async () => (await loadState(id)) === expected),
    waitForAttempts: (id: number, count: number) =>
      harness.waitUntil(`delivery ${id} attempted ${count} times`, async () => (await harness.loadAttempts(id)).length === count),
  };
}
