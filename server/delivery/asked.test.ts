/** What people ask for goes first and at once; what receivers ask for is heeded; an address is only judged by its own answers. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DAY, HOUR } from "../lib/clock.ts";
import { movableClock, type MovableClock } from "../testing/clock.ts";
import { ENGINES } from "../testing/engines.ts";
import { openPostOffice, type PostOffice } from "../testing/post-office.ts";
import { startReceiver, type Receiver } from "../testing/receiver.ts";

describe.each(ENGINES)("people and receivers ask on %s", (engine) => {
  let receiver: Receiver;
  let office: PostOffice;
  let clock: MovableClock;
  beforeAll(async () => void (receiver = await startReceiver()));
  afterAll(() => receiver.close());
  beforeEach(async () => {
    receiver.got.length = 0;
    clock = movableClock(Date.now());
    office = await openPostOffice(engine, clock);
  });
  afterEach(async () => {
    await office.close();
    // eslint-disable-next-line vitest/no-standalone-expect -- holds after each of them
    expect(office.warnings).toEqual([]);
  });

  const at = (path: string, more = {}) => office.endpoint(`${receiver.base}${path}`, more);
  const state = async (id: number): Promise<string> => (await office.delivery(id)).state;
  const becomes = (id: number, wanted: string) => office.until(`delivery ${id} ${wanted}`, async () => (await state(id)) === wanted);
  const tries = (id: number, count: number) => office.until(`delivery ${id} tried ${count} times`, async () => (await office.attempts(id)).length === count);

  test("a test passes a backlog, and tries that hang at its receiver", async () => {
    let hung = 0;
    for (const failing_since of [null, clock.now()]) {
      hung = failing_since === null ? 0 : 3;
      // An address of its own: what the first engine had sent when it was stopped may still come in.
      const path = `/mostly/${hung}`;
      receiver.answers[path] = (response) => void (hung < 4 ? (hung += 1) : response.end());
      const endpoint = await at(path, { failing_since });
      for (let count = 0; count < 20; count += 1) await office.post(endpoint, { next_attempt_at: clock.now() - HOUR });
      const running = office.start({ deadlineMs: 60_000 });
      await office.until("all its places are taken", async () => hung === 4);
      const probe = await office.post(endpoint, { is_test: 1 });
      running.wake();
      await becomes(probe, "delivered");
      // Behind the tries that hang, before all that waits.
      const place = failing_since === null ? 4 : 1;
      expect(receiver.got.filter((one) => one.path === path)[place]?.headers["webhook-id"]).toBe((await office.delivery(probe)).event_id);
      await running.stop(0);
      await office.database.write((tx) => tx.updateTable("deliveries").set({ state: "failed", next_attempt_at: null }).execute());
    }
  });

  test("of two tests at a receiver that hangs, one has the extra place, and both count where there is room", async () => {
    receiver.answers["/never"] = () => {};
    const endpoint = await at("/never");
    for (let count = 0; count < 8; count += 1) await office.post(endpoint);
    office.start({ deadlineMs: 60_000 });
    // What another test's engine had sent when it was stopped may still come in.
    const arrived = () => receiver.got.filter(({ path }) => path === "/never").length;
    await office.until("all its places are taken", async () => arrived() === 4);
    const probes = [await office.post(endpoint, { is_test: 1 }), await office.post(endpoint, { is_test: 1 })];
    await office.until("the extra place is taken", async () => arrived() === 5);
    await sleep(200);
    expect(arrived()).toBe(5);
    expect((await Promise.all(probes.map((id) => office.delivery(id)))).map(({ attempts }) => attempts)).toEqual([1, 0]);
  });

  test("a receiver that asks to wait is let be, by all its deliveries, but for what people ask for", async () => {
    const endpoint = await at("/busy");
    const first = await office.post(endpoint);
    const running = office.start({ lookEveryMs: 20 });
    await tries(first, 1);
    expect((await office.endpointRow(endpoint)).not_before).toBe(clock.now() + 120_000);
    const [next, again] = [await office.post(endpoint), await office.post(endpoint, { by_hand: 1 })];
    await tries(again, 1);
    expect(await office.delivery(again)).toMatchObject({ state: "pending", by_hand: 0 });
    const probe = await office.post(endpoint, { is_test: 1 });
    await becomes(probe, "failed");
    expect(await office.delivery(next)).toMatchObject({ attempts: 0, state: "pending" });
    clock.pass(119_999);
    running.wake();
    await becomes(await office.post(await at("/ok")), "delivered");
    expect(await office.attempts(next)).toEqual([]);
    receiver.answers["/busy"] = (response) => response.end();
    clock.pass(1);
    await becomes(next, "delivered");
    receiver.answers["/busy"] = (response) => response.writeHead(429, { "retry-after": "120" }).end();
  });

  test("a good answer to what a person asked for ends the waiting, and so does a wish from a clock that was put back", async () => {
    const waits = { not_before: clock.now() + HOUR };
    const [ready, far] = [await at("/ok", waits), await at("/ok", { not_before: clock.now() + 2 * DAY })];
    const [one, two] = [await office.post(ready), await office.post(far)];
    office.start();
    await becomes(two, "delivered");
    expect(await office.attempts(one)).toEqual([]);
    await office.post(ready, { is_test: 1 });
    await becomes(one, "delivered");
    expect((await office.endpointRow(ready)).not_before).toBeNull();
  });

  test.each([
    ["/late-gone", 410],
    ["/late-busy", 503],
    ["/late-ok", 200],
  ])("%s: the answer of an address that is no longer the endpoint's changes only its delivery", async (path, status) => {
    const gate = Promise.withResolvers<void>();
    receiver.answers[path] = async (response) => {
      await gate.promise;
      response.writeHead(status, status === 503 ? { "retry-after": "3600" } : {}).end();
    };
    const endpoint = await at(path, { failing_since: clock.now() - 6 * DAY });
    const id = await office.post(endpoint, { step: 2 });
    office.start();
    await office.until("it is there", async () => receiver.got.some((one) => one.path === path));
    const failing_since = status === 200 ? clock.now() - HOUR : null;
    await office.database.write((tx) =>
      tx
        .updateTable("webhook_endpoints")
        .set({ url: `${receiver.base}/new`, failing_since })
        .execute(),
    );
    const before = await office.endpointRow(endpoint);
    gate.resolve();
    await tries(id, 1);
    expect(await office.endpointRow(endpoint)).toEqual(before);
    expect(await office.delivery(id)).toMatchObject(status === 200 ? { state: "delivered" } : { state: "pending", step: 3 });
    expect(office.told.endpoints).toEqual([]);
  });

  test("what was due at once is hurried at the start, and again after a hurry that failed", async () => {
    const ahead = await office.post(await at("/ok"), { next_attempt_at: clock.now() + HOUR });
    let fails = 1;
    const write: typeof office.database.write = (work) => ((fails -= 1) >= 0 ? Promise.reject(new Error("no disk")) : office.database.write(work));
    office.start({ database: { ...office.database, write } });
    await becomes(ahead, "delivered");
    expect(office.warnings.splice(0).map(String)).toEqual(["Error: no disk"]);
  });
});
