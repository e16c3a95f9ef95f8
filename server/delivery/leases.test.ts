/** Who holds what: stopping, dying, losing a lease, and a clock that moves. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HOUR, MINUTE } from "../lib/clock.ts";
import { movableClock, type MovableClock } from "../testing/clock.ts";
import { ENGINES } from "../testing/engines.ts";
import { openPostOffice, type PostOffice } from "../testing/post-office.ts";
import { startReceiver, type Receiver } from "../testing/receiver.ts";
import { endLeases, LEASE_MS } from "./leases.ts";

describe.each(ENGINES)("leases on %s", (engine) => {
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

  test("stopped, it lets what is under way end, then breaks it off and gives it back", async () => {
    receiver.answers["/soon"] = async (response) => {
      await sleep(150);
      response.end();
    };
    const soon = await office.post(await at("/soon"));
    const hung = await office.post(await at("/hang"), { step: 2 });
    const running = office.start({ deadlineMs: 20_000 });
    await receiver.until(2);
    await running.stop(400);
    expect(await state(soon)).toBe("delivered");
    expect(await office.delivery(hung)).toMatchObject({ state: "pending", step: 2, attempts: 1, lease_until: null, next_attempt_at: clock.now() });
    expect((await office.attempts(hung))[0]).toMatchObject({ outcome: "interrupted" });
    receiver.answers["/hang"] = (response) => response.end();
    office.start();
    await becomes(hung, "delivered");
    expect((await office.attempts(hung)).map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, "interrupted"],
      [2, "ok"],
    ]);
    receiver.answers["/hang"] = () => {};
  });

  test("a try whose worker died is taken over when its lease has run out, and says so", async () => {
    const dead = { lease_until: clock.now() + LEASE_MS, lease_token: "somebody", attempts: 1 };
    const id = await office.post(await at("/ok"), dead);
    const running = office.start();
    await sleep(150);
    expect(receiver.got).toEqual([]);
    await office.database.write((tx) => tx.updateTable("deliveries").set({ lease_until: 1 }).execute());
    await becomes(id, "delivered");
    expect((await office.attempts(id)).map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, "interrupted"],
      [2, "ok"],
    ]);
    // Who is alone need not wait.
    const other = await office.post(await at("/ok"), { ...dead, lease_until: clock.now() + LEASE_MS });
    await office.database.write((tx) => endLeases(tx, engine, clock.now(), [], true));
    running.wake();
    await becomes(other, "delivered");
  });

  test("a try whose worker died is kept where the endpoint was paused meanwhile, given up where it was deleted", async () => {
    const dead = { lease_until: clock.now() - 1, lease_token: "somebody", attempts: 1 };
    const paused = await at("/paused", { enabled: 0 });
    const [held, probe] = [await office.post(paused, dead), await office.post(paused, { ...dead, is_test: 1 })];
    const failed = await office.post(await at("/deleted", { deleted_at: clock.now() }), dead);
    office.start();
    await becomes(probe, "delivered");
    expect(await office.delivery(held)).toMatchObject({ state: "held", next_attempt_at: null, lease_until: null });
    expect(await office.delivery(failed)).toMatchObject({ state: "failed", next_attempt_at: null, done_at: clock.now() });
    expect(receiver.got.map(({ path }) => path)).toEqual(["/paused"]);
  });

  test("whoever lost the lease records nothing", async () => {
    const gate = Promise.withResolvers<void>();
    receiver.answers["/lost"] = async (response) => {
      await gate.promise;
      response.writeHead(500).end();
    };
    const id = await office.post(await at("/lost"));
    const running = office.start();
    await receiver.until(1);
    await office.database.write((tx) => tx.updateTable("deliveries").set({ lease_token: "another's", state: "delivered", next_attempt_at: null }).execute());
    gate.resolve();
    await running.stop();
    expect(await office.delivery(id)).toMatchObject({ state: "delivered", lease_token: "another's" });
    expect(await office.attempts(id)).toEqual([]);
    expect(office.told.deliveries).toEqual([]);
  });

  test.runIf(engine === "postgres")("workers whose clocks differ by an hour do not send one try twice at once", async () => {
    const [hung, soon] = [await at("/hang"), await at("/ok")];
    const id = await office.post(hung);
    office.start({ deadlineMs: 20_000, lookEveryMs: 60_000 });
    await receiver.until(1);
    const others = [office.data.open(), office.data.open()];
    for (const [index, by] of [HOUR, -HOUR].entries()) {
      const worker = office.start({ clock: movableClock(clock.now() + by), database: others[index]!, lookEveryMs: 20 });
      await becomes(await office.post(soon, { next_attempt_at: clock.now() - 2 * HOUR }), "delivered");
      await worker.stop();
    }
    expect(receiver.got.filter(({ path }) => path === "/hang")).toHaveLength(1);
    expect(await office.delivery(id)).toMatchObject({ attempts: 1, state: "pending" });
    expect((await office.delivery(id)).lease_until).not.toBeNull();
    await Promise.all(others.map((database) => database.close()));
  });

  describe("a clock that moves by an hour", () => {
    test("forward: what is under way is not sent twice, and signatures carry the new time", async () => {
      const gate = Promise.withResolvers<void>();
      receiver.answers["/slow"] = async (response) => {
        await gate.promise;
        response.end();
      };
      const id = await office.post(await at("/slow"));
      office.start({ deadlineMs: 20_000 });
      await receiver.until(1);
      clock.pass(HOUR);
      await sleep(200);
      expect(receiver.got).toHaveLength(1);
      gate.resolve();
      await becomes(id, "delivered");
      expect((await office.attempts(id))[0]!.duration).toBeLessThan(HOUR / 2);
      const other = await office.post(await at("/ok"));
      await becomes(other, "delivered");
      expect(Number(receiver.got.at(-1)!.headers["webhook-timestamp"])).toBe(Math.floor(clock.now() / 1_000));
    });
    test("back: what was due at once is sent at once, what a dead worker held is freed", async () => {
      const endpoint = await at("/ok");
      const due = await office.post(endpoint);
      // PostgreSQL compares by its own clock, which nobody moves here.
      const dead = await office.post(endpoint, { lease_until: engine === "postgres" ? 1 : clock.now() + LEASE_MS, lease_token: "dead", attempts: 1 });
      const running = office.start({ lookEveryMs: 20 });
      await becomes(due, "delivered");
      const next = await office.post(endpoint, { next_attempt_at: clock.now() + 30 * MINUTE, step: 4 });
      const [late] = [await office.post(endpoint, { next_attempt_at: clock.now() + 1 })];
      clock.pass(-HOUR);
      running.wake();
      await becomes(late, "delivered");
      await becomes(dead, "delivered");
      expect(await state(next)).toBe("pending");
      clock.pass(2 * HOUR);
      await becomes(next, "delivered");
    });
  });
});
