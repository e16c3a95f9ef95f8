/** Nobody waits for those that hang; nothing is sent twice at once. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { ENGINES } from "../testing/engines.ts";
import { openPostOffice, type PostOffice } from "../testing/post-office.ts";
import { startNameServer } from "../testing/name-server.ts";
import { startReceiver, type Receiver } from "../testing/receiver.ts";
import { createTurns, share, type Candidate } from "./claim.ts";

describe("sharing", () => {
  const one = (id: number, more: Partial<Candidate> = {}): Candidate => ({ id, quiet: false, byHand: false, extra: 1, struggling: false, free: 4, ...more });
  const shared = (candidates: Candidate[], all: number, struggling = all) =>
    [...share(candidates, { all, struggling, byHand: 0 })].map(([{ id }, count]) => [id, count]);
  test("goes round before anybody gets a second", () => {
    expect(shared([one(1), one(2), one(3)], 5)).toEqual([
      [1, 2],
      [2, 2],
      [3, 1],
    ]);
    expect(shared([one(1, { free: 1 }), one(2)], 10)).toEqual([
      [1, 1],
      [2, 4],
    ]);
  });
  test("leaves room that struggling endpoints cannot take", () => {
    const many = Array.from({ length: 30 }, (_, index) => one(index + 1, { struggling: true, free: 1 }));
    expect(shared([...many, one(99)], 20, 10)).toHaveLength(11);
    expect(shared([...many, one(99)], 20, 0)).toEqual([[99, 4]]);
  });
  test("puts those first who have waited longest", () => {
    const turns = createTurns();
    const [a, b, c] = [one(1), one(2), one(3)];
    turns.served(1);
    turns.served(3);
    expect(turns.order([a, b, c])).toEqual([b, a, c]);
    turns.served(2);
    turns.served(1);
    expect(turns.order([a, b, c])).toEqual([c, b, a]);
  });
});

describe.each(ENGINES)("beside each other on %s", (engine) => {
  let receiver: Receiver;
  let office: PostOffice;
  beforeAll(async () => void (receiver = await startReceiver()));
  afterAll(() => receiver.close());
  beforeEach(async () => {
    receiver.got.length = 0;
    office = await openPostOffice(engine, systemClock);
  });
  afterEach(async () => {
    await office.close();
    // eslint-disable-next-line vitest/no-standalone-expect -- holds after each of them
    expect(office.warnings).toEqual([]);
  });
  const at = (path: string, more = {}) => office.endpoint(`${receiver.base}${path}`, more);

  /** An event happens and is received. */
  async function arrives(endpoint: number, path: string, wake: () => void): Promise<void> {
    const before = receiver.got.filter((one) => one.path === path).length;
    await office.post(endpoint);
    wake();
    while (receiver.got.filter((one) => one.path === path).length === before) await sleep(1);
  }

  test("with 40 deliveries that hang, a healthy endpoint is served without waiting for any of them", async () => {
    const healthy = await at("/healthy");
    const hung = await Promise.all(Array.from({ length: 12 }, (_, index) => at(`/hang?${index}`)));
    for (let index = 0; index < 12; index += 1) receiver.answers[`/hang?${index}`] = () => {};
    const running = office.start({ deadlineMs: 60_000 });
    for (const endpoint of hung) for (let count = 0; count < 10; count += 1) await office.post(endpoint);
    running.wake();
    const hanging = () => receiver.got.filter(({ path }) => path.startsWith("/hang")).length;
    while (hanging() < 48) await sleep(5);
    // One that waited for a hung one would take a minute; how long it does take is measured in bench/webhooks.
    for (let count = 0; count < 30; count += 1) await arrives(healthy, "/healthy", running.wake);
    expect(hanging()).toBe(48);
  });

  test("with names that nobody resolves, one that is resolved is served meanwhile", async () => {
    const names = await startNameServer({ "healthy.test": "127.0.0.1" });
    const dead = await Promise.all(Array.from({ length: 20 }, (_, index) => office.endpoint(`http://dead-${index}.test/`)));
    for (const endpoint of dead) await office.post(endpoint);
    const healthy = await office.endpoint(`http://healthy.test:${receiver.port}/named`);
    const running = office.start({ deadlineMs: 60_000, nameServers: [names.address] });
    const silent = () => new Set(names.asked.filter((one) => one.includes("dead"))).size;
    await office.until("all dead names are being asked for", async () => silent() === 40);
    for (let count = 0; count < 10; count += 1) await arrives(healthy, "/named", running.wake);
    const rows = (await office.deliveries()).filter(({ endpoint_id }) => endpoint_id !== healthy);
    expect(rows.map(({ lease_until, step }) => [lease_until !== null, step])).toEqual(dead.map(() => [true, 0]));
    await running.stop(0);
    await names.close();
  });

  test("a backlog of one is not in the way of another", async () => {
    const [long, short] = [await at("/long"), await at("/short")];
    for (let count = 0; count < 200; count += 1) await office.post(long);
    await office.post(short);
    office.start();
    await office.until("sent", async () => receiver.got.some(({ path }) => path === "/short"));
    expect(receiver.got.findIndex(({ path }) => path === "/short")).toBeLessThan(30);
  });

  test("several workers on one database send each try once", async () => {
    let [now, most] = [0, 0];
    receiver.answers["/counted"] = async (response) => {
      most = Math.max(most, (now += 1));
      await sleep(5);
      now -= 1;
      response.end();
    };
    const endpoints = await Promise.all(["/counted", "/a", "/b", "/c"].map((path) => at(path)));
    for (let count = 0; count < 40; count += 1) for (const endpoint of endpoints) await office.post(endpoint);
    const others = [office.data.open(), office.data.open()];
    const workers = [office.start(), ...others.map((database) => office.start({ database }))];
    await office.until("all delivered", async () => (await office.deliveries()).every(({ state }) => state === "delivered"), 15_000);
    await Promise.all(workers.map((worker) => worker.stop()));
    await Promise.all(others.map((database) => database.close()));
    const ids = receiver.got.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toHaveLength(160);
    expect(new Set(ids).size).toBe(160);
    expect((await office.deliveries()).every(({ attempts }) => attempts === 1)).toBe(true);
    expect(most).toBeLessThanOrEqual(4);
  });
});
