/**
 * Benchmarks the delivery latency of webhooks beside 40 requests that hang, against the latency alone. Fails if the p99 is more than twice as long.
 * `npm run bench -- webhooks-hanging`, also on PostgreSQL if TEST_DATABASE_URL is set.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Engine } from "../../server/db/database.ts";
import { createEventLog } from "../../server/events/log.ts";
import { systemClock as clock } from "../../server/lib/clock.ts";
import { createDeliveryPublisher } from "../../server/modules/webhooks/publisher.ts";
import { createEndpointSecrets } from "../../server/modules/webhooks/secrets.ts";
import { openDeliveryHarness, type DeliveryHarness } from "../../server/testing/delivery-harness.ts";
import { ENGINES } from "../../server/testing/engines.ts";
import { startReceiver, type Receiver } from "../../server/testing/receiver.ts";
import { percentile } from "../lib/statistics.ts";

const SAMPLES = Number(process.argv[2] ?? 300);
const HUNG_COUNT = 40;
/** Maximum factor by which hanging requests may slow down the p99 of the others. */
const MAX_SLOWDOWN = 2;

const printLatencies = (name: string, latencies: number[]): void => {
  const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => percentile(latencies, share).toFixed(1));
  console.log(`  ${name.padEnd(18)} p50 ${p50} ms   p90 ${p90} ms   p99 ${p99} ms`);
};

/** Starts the delivery engine, including the live events that the service publishes. */
function startEngine(harness: DeliveryHarness, deadlineMs: number) {
  const events = createEventLog(harness.database, clock);
  const publisher = createDeliveryPublisher({ events, clock, secrets: createEndpointSecrets(randomBytes(32)), notify: async () => {} });
  return harness.startEngine({ publisher, deadlineMs, pollIntervalMs: 1_000 });
}

/** Returns the milliseconds from before the commit to the arrival of one event. */
async function sample(harness: DeliveryHarness, endpoint: number, receiver: Receiver, wake: () => void): Promise<number> {
  const before = receiver.requests.length;
  const startedAt = performance.now();
  await harness.createDelivery(endpoint);
  wake();
  while (receiver.requests.length === before) await sleep(0);
  return receiver.requests[before]!.receivedAt - startedAt;
}

async function latency(engine: Engine): Promise<boolean> {
  const [isolated, contended] = [await openDeliveryHarness(engine, clock), await openDeliveryHarness(engine, clock)];
  const receivers = [await startReceiver(), await startReceiver()] as const;
  const sink = await startReceiver();
  const healthy = [await isolated.createEndpoint(`${receivers[0].base}/ok`), await contended.createEndpoint(`${receivers[1].base}/ok`)] as const;
  for (let index = 0; index < HUNG_COUNT / 4; index += 1) {
    sink.handlers[`/hang/${index}`] = () => {};
    const endpoint = await contended.createEndpoint(`${sink.base}/hang/${index}`);
    // Queue more deliveries behind the hanging ones.
    for (let count = 0; count < 40; count += 1) await contended.createDelivery(endpoint);
  }
  const engines = [startEngine(isolated, 600_000), startEngine(contended, 600_000)] as const;
  await sink.waitForRequests(HUNG_COUNT);
  const latencies: [number[], number[]] = [[], []];
  // Alternate, so that other load on the machine affects both alike.
  for (let count = -20; count < SAMPLES; count += 1) {
    const pair = [
      await sample(isolated, healthy[0], receivers[0], engines[0].wake),
      await sample(contended, healthy[1], receivers[1], engines[1].wake),
    ] as const;
    if (count >= 0) latencies.forEach((samples, index) => samples.push(pair[index]!));
  }
  console.log(
    `${engine}: ${SAMPLES} events one after the other, commit to arrival; ${sink.requests.length} tries hang meanwhile, ${HUNG_COUNT * 10 - sink.requests.length} wait behind them`,
  );
  printLatencies("alone", latencies[0]);
  printLatencies(`beside ${HUNG_COUNT} hung`, latencies[1]);
  const [bare, hung] = latencies.map((samples) => Number(percentile(samples, 0.99).toFixed(1)));
  const isFair = hung! <= bare! * MAX_SLOWDOWN;
  if (!isFair) console.error(`  p99 beside ${HUNG_COUNT} hung is more than ${MAX_SLOWDOWN} times that alone`);
  await Promise.all([isolated.close(), contended.close(), ...receivers.map((receiver) => receiver.close()), sink.close()]);
  return isFair;
}

for (const engine of ENGINES) if (!(await latency(engine))) process.exitCode = 1;
