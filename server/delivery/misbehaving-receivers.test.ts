/** Delivers to receivers that misbehave in every way beside good ones: the good ones get everything at once, and each failure is recorded with its reason. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reportFaults } from "../testing/fault-counts.ts";
import { systemClock } from "../lib/clock.ts";
import { createCertificate } from "../testing/certificate.ts";
import { openDeliveryHarness, type DeliveryHarness } from "../testing/delivery-harness.ts";
import { FAULT_ENGINES } from "../testing/engines.ts";
import { FAILURE_MODES, startReceiver, type Receiver } from "../testing/receiver.ts";
import { getFaultRounds } from "../testing/service-process.ts";

const ROUNDS = getFaultRounds(1);
/** How long an attempt may last here. */
const DEADLINE_MS = 400;
/** A delivery to a good receiver that takes longer waits for a bad one. */
const HANG_MS = 10_000;
/** Receivers that answer 2xx count as good, whatever follows. */
const SUCCEEDING = ["empty", "endless-body"];
const FAILING = Object.keys(FAILURE_MODES).filter((mode) => !SUCCEEDING.includes(mode));

describe.each(FAULT_ENGINES)("receivers on %s", { timeout: 300_000 }, (engine) => {
  let receiver: Receiver;
  let untrusted: Receiver;
  let harness: DeliveryHarness;
  beforeAll(async () => {
    receiver = await startReceiver();
    untrusted = await startReceiver(createCertificate("hooks.test"));
  });
  afterAll(() => Promise.all([receiver.close(), untrusted.close()]));
  beforeEach(async () => void (harness = await openDeliveryHarness(engine, systemClock)));
  afterEach(async () => {
    await harness.close();
    // eslint-disable-next-line vitest/no-standalone-expect -- holds after each of them
    expect(harness.warnings).toEqual([]);
  });

  test(`that misbehave in ${FAILING.length + 3} ways hold nobody up`, async () => {
    const good = await Promise.all(["/good", "/empty"].map((path) => harness.createEndpoint(`${receiver.base}${path}`)));
    const badUrls = [...FAILING.map((mode) => `${receiver.base}/${mode}`), `${untrusted.base}/`, "http://127.0.0.1:1/", "http://nowhere.invalid/"];
    const bad = await Promise.all(badUrls.map((url) => harness.createEndpoint(url)));
    const worker = harness.startEngine({ deadlineMs: DEADLINE_MS });
    let hangs = 0;
    const goodDeliveries: number[] = [];
    const isDelivered = async (id: number) => (await harness.loadDelivery(id)).state === "delivered";
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const endpoint of bad) await harness.createDelivery(endpoint);
      for (const endpoint of good) goodDeliveries.push(await harness.createDelivery(endpoint));
      worker.wake();
      for (const id of goodDeliveries.slice(-good.length))
        await harness.waitUntil("a good receiver is served", () => isDelivered(id), HANG_MS).catch(() => (hangs += 1));
    }
    const loadAttempts = () =>
      harness.database.read
        .selectFrom("delivery_attempts")
        .innerJoin("deliveries", "deliveries.id", "delivery_attempts.delivery_id")
        .select(["endpoint_id", "outcome", "status"])
        .execute();
    await harness.waitUntil("each bad receiver was tried", async () => {
      const tried = new Set((await loadAttempts()).map(({ endpoint_id }) => endpoint_id));
      return bad.every((endpoint) => tried.has(endpoint));
    });
    const failures = (await loadAttempts()).filter(({ endpoint_id }) => bad.includes(endpoint_id));
    const states = await Promise.all(goodDeliveries.map(isDelivered));
    const isClear = ({ outcome, status }: { outcome: string; status: number | null }) => outcome !== "ok" && (outcome !== "http" || status !== null);
    const counts = {
      broken: failures.length,
      acknowledged: states.filter(Boolean).length,
      lost: states.filter((delivered) => !delivered).length,
      hangs,
      clearFailures: failures.filter(isClear).length,
      unclearFailures: failures.filter((failure) => !isClear(failure)).length,
    };
    reportFaults("receivers: beside the others", engine, counts);
    expect(counts).toMatchObject({ acknowledged: ROUNDS * good.length, lost: 0, hangs: 0, unclearFailures: 0 });
  });
});
