/** Tests that hanging endpoints do not delay others and that concurrent workers send nothing twice. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { openDeliveryHarness, type DeliveryHarness } from "../testing/delivery-harness.ts";
import { ENGINES } from "../testing/engines.ts";
import { startDnsServer } from "../testing/dns-server.ts";
import { startReceiver, type Receiver } from "../testing/receiver.ts";
import { createRoundRobin, shareCapacity, type Candidate } from "./claim.ts";

describe("sharing capacity", () => {
  const newCandidate = (id: number, more: Partial<Candidate> = {}): Candidate => ({
    id,
    isManualOnly: false,
    hasManual: false,
    extraSlots: 1,
    isFailing: false,
    freeSlots: 4,
    ...more,
  });
  const sharesFor = (candidates: Candidate[], all: number, failing = all) =>
    [...shareCapacity(candidates, { anySlots: all, failingSlots: failing, manualSlots: 0 })].map(([{ id }, count]) => [id, count]);
  test("gives every endpoint one slot before any gets a second", () => {
    expect(sharesFor([newCandidate(1), newCandidate(2), newCandidate(3)], 5)).toEqual([
      [1, 2],
      [2, 2],
      [3, 1],
    ]);
    expect(sharesFor([newCandidate(1, { freeSlots: 1 }), newCandidate(2)], 10)).toEqual([
      [1, 1],
      [2, 4],
    ]);
  });
  test("reserves capacity that failing endpoints cannot use", () => {
    const many = Array.from({ length: 30 }, (_, index) => newCandidate(index + 1, { isFailing: true, freeSlots: 1 }));
    expect(sharesFor([...many, newCandidate(99)], 20, 10)).toHaveLength(11);
    expect(sharesFor([...many, newCandidate(99)], 20, 0)).toEqual([[99, 4]]);
  });
  test("serves the endpoint first that has waited longest", () => {
    const roundRobin = createRoundRobin();
    const [a, b, c] = [newCandidate(1), newCandidate(2), newCandidate(3)];
    roundRobin.markServed(1);
    roundRobin.markServed(3);
    expect(roundRobin.sortByLongestWait([a, b, c])).toEqual([b, a, c]);
    roundRobin.markServed(2);
    roundRobin.markServed(1);
    expect(roundRobin.sortByLongestWait([a, b, c])).toEqual([c, b, a]);
  });
});

describe.each(ENGINES)("concurrent deliveries on %s", (engine) => {
  let receiver: Receiver;
  let harness: DeliveryHarness;
  beforeAll(async () => void (receiver = await startReceiver()));
  afterAll(() => receiver.close());
  beforeEach(async () => {
    receiver.requests.length = 0;
    harness = await openDeliveryHarness(engine, systemClock);
  });
  afterEach(async () => {
    await harness.close();
    // eslint-disable-next-line vitest/no-standalone-expect -- holds after each of them
    expect(harness.warnings).toEqual([]);
  });
  const endpointAt = (path: string, more = {}) => harness.createEndpoint(`${receiver.base}${path}`, more);

  /** Creates a delivery and waits until the receiver gets it. */
  async function postAndAwait(endpoint: number, path: string, wake: () => void): Promise<void> {
    const before = receiver.requests.filter((request) => request.path === path).length;
    await harness.createDelivery(endpoint);
    wake();
    await harness.waitUntil(`a request to ${path}`, async () => receiver.requests.filter((request) => request.path === path).length > before);
  }

  test("a healthy endpoint does not wait for deliveries that hang", async () => {
    const healthy = await endpointAt("/healthy");
    const hangingEndpoints = await Promise.all(Array.from({ length: 12 }, (_, index) => endpointAt(`/hang?${index}`)));
    for (let index = 0; index < 12; index += 1) receiver.handlers[`/hang?${index}`] = () => {};
    const worker = harness.startEngine({ deadlineMs: 60_000 });
    for (const endpoint of hangingEndpoints) for (let count = 0; count < 10; count += 1) await harness.createDelivery(endpoint);
    worker.wake();
    const countHanging = () => receiver.requests.filter(({ path }) => path.startsWith("/hang")).length;
    await harness.waitUntil("48 hanging requests", async () => countHanging() >= 48);
    // Waiting for a hanging delivery would take a minute; bench/webhooks measures the actual latency.
    for (let count = 0; count < 30; count += 1) await postAndAwait(healthy, "/healthy", worker.wake);
    expect(countHanging()).toBe(48);
  });

  test("a resolvable host name is served while others do not resolve", async () => {
    const nameServer = await startDnsServer({ "healthy.test": "127.0.0.1" });
    const dead = await Promise.all(Array.from({ length: 20 }, (_, index) => harness.createEndpoint(`http://dead-${index}.test/`)));
    for (const endpoint of dead) await harness.createDelivery(endpoint);
    const healthy = await harness.createEndpoint(`http://healthy.test:${receiver.port}/named`);
    const worker = harness.startEngine({ deadlineMs: 60_000, nameServers: [nameServer.address] });
    const countSilent = () => new Set(nameServer.queries.filter((query) => query.includes("dead"))).size;
    await harness.waitUntil("all dead names are being asked for", async () => countSilent() === 40);
    for (let count = 0; count < 10; count += 1) await postAndAwait(healthy, "/named", worker.wake);
    const rows = (await harness.loadDeliveries()).filter(({ endpoint_id }) => endpoint_id !== healthy);
    expect(rows.map(({ lease_until, step }) => [lease_until !== null, step])).toEqual(dead.map(() => [true, 0]));
    await worker.stop(0);
    await nameServer.close();
  });

  test("the backlog of one endpoint does not delay another", async () => {
    const [long, short] = [await endpointAt("/long"), await endpointAt("/short")];
    for (let count = 0; count < 200; count += 1) await harness.createDelivery(long);
    await harness.createDelivery(short);
    harness.startEngine();
    await harness.waitUntil("sent", async () => receiver.requests.some(({ path }) => path === "/short"));
    expect(receiver.requests.findIndex(({ path }) => path === "/short")).toBeLessThan(30);
  });

  test("several workers on one database send each delivery once", async () => {
    let [activeCount, maxActiveCount] = [0, 0];
    receiver.handlers["/counted"] = async (response) => {
      maxActiveCount = Math.max(maxActiveCount, (activeCount += 1));
      await sleep(5);
      activeCount -= 1;
      response.end();
    };
    const endpoints = await Promise.all(["/counted", "/a", "/b", "/c"].map((path) => endpointAt(path)));
    for (let count = 0; count < 40; count += 1) for (const endpoint of endpoints) await harness.createDelivery(endpoint);
    const otherDatabases = [harness.testDatabase.open(), harness.testDatabase.open()];
    // The harness's own deadline is shorter than the pause of a busy machine, after which an attempt would be repeated.
    const deadlineMs = 15_000;
    const workers = [harness.startEngine({ deadlineMs }), ...otherDatabases.map((database) => harness.startEngine({ database, deadlineMs }))];
    await harness.waitUntil("all delivered", async () => (await harness.loadDeliveries()).every(({ state }) => state === "delivered"), 15_000);
    await Promise.all(workers.map((worker) => worker.stop()));
    await Promise.all(otherDatabases.map((database) => database.close()));
    const ids = receiver.requests.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toHaveLength(160);
    expect(new Set(ids).size).toBe(160);
    expect((await harness.loadDeliveries()).every(({ attempts }) => attempts === 1)).toBe(true);
    expect(maxActiveCount).toBeLessThanOrEqual(4);
  });
});
