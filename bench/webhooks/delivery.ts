/**
 * How quickly webhooks arrive, alone and beside 40 that hang, and how many a second, beside a bare loop of the same requests.
 * Fails where the p99 beside those that hang is more than twice that alone.
 * `node bench/webhooks/delivery.ts [samples] [deliveries]`; with TEST_DATABASE_URL also on PostgreSQL.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { eventBody } from "../../server/presenters/event-body.ts";
import { createSecretBox } from "../../server/domain/webhooks/secrets.ts";
import { createTell } from "../../server/domain/webhooks/tell.ts";
import type { Engine } from "../../server/db/database.ts";
import { createEventLog } from "../../server/events/log.ts";
import { systemClock as clock } from "../../server/lib/clock.ts";
import { ENGINES } from "../../server/testing/engines.ts";
import { DATA, openPostOffice, type PostOffice } from "../../server/testing/post-office.ts";
import { startReceiver, type Receiver } from "../../server/testing/receiver.ts";

const SAMPLES = Number(process.argv[2] ?? 300);
const DELIVERIES = Number(process.argv[3] ?? 2_000);
const HUNG = 40;
/** Those that hang may make the slowest hundredth of the others so many times as slow at most. */
const MOST_SLOWER = 2;
/** As many at once as the engine has: ten endpoints with four each. */
const ENDPOINTS = 10;
const AT_ONCE = 40;

const at = (sorted: number[], share: number): string => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
const say = (name: string, found: number[]): void => {
  const sorted = found.toSorted((a, b) => a - b);
  console.log(`  ${name.padEnd(18)} p50 ${at(sorted, 0.5)} ms   p90 ${at(sorted, 0.9)} ms   p99 ${at(sorted, 0.99)} ms`);
};

/** With the live events that the service writes too. */
function start(office: PostOffice, deadlineMs: number) {
  const tell = createTell({ events: createEventLog(office.database, clock), clock, secrets: createSecretBox(randomBytes(32)) });
  return office.start({ tell, deadlineMs, lookEveryMs: 1_000 });
}

/** From before the commit to the arrival, of events that come one after the other. */
async function sample(office: PostOffice, endpoint: number, receiver: Receiver, wake: () => void): Promise<number> {
  const before = receiver.got.length;
  const since = performance.now();
  await office.post(endpoint);
  wake();
  while (receiver.got.length === before) await sleep(0);
  return receiver.got[before]!.at - since;
}

async function latency(engine: Engine): Promise<boolean> {
  const [alone, beside] = [await openPostOffice(engine, clock), await openPostOffice(engine, clock)];
  const receivers = [await startReceiver(), await startReceiver()] as const;
  const sink = await startReceiver();
  const healthy = [await alone.endpoint(`${receivers[0].base}/ok`), await beside.endpoint(`${receivers[1].base}/ok`)] as const;
  for (let index = 0; index < HUNG / 4; index += 1) {
    sink.answers[`/hang/${index}`] = () => {};
    const endpoint = await beside.endpoint(`${sink.base}/hang/${index}`);
    // More wait behind those that hang.
    for (let count = 0; count < 40; count += 1) await beside.post(endpoint);
  }
  const engines = [start(alone, 600_000), start(beside, 600_000)] as const;
  await sink.until(HUNG);
  const found: [number[], number[]] = [[], []];
  // By turns, so that what else the machine does strikes both.
  for (let count = -20; count < SAMPLES; count += 1) {
    const pair = [await sample(alone, healthy[0], receivers[0], engines[0].wake), await sample(beside, healthy[1], receivers[1], engines[1].wake)] as const;
    if (count >= 0) found.forEach((list, index) => list.push(pair[index]!));
  }
  console.log(
    `${engine}: ${SAMPLES} events one after the other, commit to arrival; ${sink.got.length} tries hang meanwhile, ${HUNG * 10 - sink.got.length} wait behind them`,
  );
  say("alone", found[0]);
  say(`beside ${HUNG} hung`, found[1]);
  const [bare, hung] = found.map((list) =>
    Number(
      at(
        list.toSorted((a, b) => a - b),
        0.99,
      ),
    ),
  );
  const fair = hung! <= bare! * MOST_SLOWER;
  if (!fair) console.error(`  p99 beside ${HUNG} hung is more than ${MOST_SLOWER} times that alone`);
  await Promise.all([alone.close(), beside.close(), ...receivers.map((one) => one.close()), sink.close()]);
  return fair;
}

async function throughput(engine: Engine): Promise<void> {
  const office = await openPostOffice(engine, clock);
  const receiver = await startReceiver();
  const endpoints = await Promise.all(Array.from({ length: ENDPOINTS }, (_, index) => office.endpoint(`${receiver.base}/${index}`)));
  for (let count = 0; count < DELIVERIES; count += 1) await office.post(endpoints[count % ENDPOINTS]!);

  const agent = new Agent({ pipelining: 1 });
  const body = eventBody({ id: "0", type: "file.renamed", data: DATA });
  let left = DELIVERIES;
  const bareSince = performance.now();
  const loop = async (): Promise<void> => {
    while ((left -= 1) >= 0) await (await request(`${receiver.base}/bare`, { dispatcher: agent, method: "POST", body })).body.text();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  const bare = performance.now() - bareSince;
  await agent.close();

  receiver.got.length = 0;
  const since = performance.now();
  start(office, 15_000);
  await office.until(
    "all delivered",
    async () => (await office.database.read.selectFrom("deliveries").select("id").where("state", "=", "pending").limit(1).execute()).length === 0,
    600_000,
  );
  const took = performance.now() - since;
  const rate = (ms: number): string => Math.round((DELIVERIES / ms) * 1_000).toLocaleString("en-US");
  console.log(`${engine}: ${DELIVERIES} deliveries to ${ENDPOINTS} endpoints, claimed, signed, sent, recorded and told: ${rate(took)} a second`);
  console.log(`  bare loop of the same requests, nothing recorded, ${AT_ONCE} at once: ${rate(bare)} a second`);
  await Promise.all([office.close(), receiver.close()]);
}

for (const engine of ENGINES) {
  if (!(await latency(engine))) process.exitCode = 1;
  await throughput(engine);
}
