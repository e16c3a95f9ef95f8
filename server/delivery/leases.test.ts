/** Who holds what: stopping, dying, losing a lease, and a clock that moves. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { HOUR, MINUTE } from "../lib/clock.ts";
import { movableClock } from "../testing/clock.ts";
import { ENGINES } from "../testing/engines.ts";
import { givenDelivery } from "../testing/given-delivery.ts";
import { endLeases, LEASE_MS } from "./leases.ts";

describe.each(ENGINES)("leases on %s", (engine) => {
  const given = givenDelivery(engine);
  const { at, state, becomes } = given;

  test("stopped, it lets what is under way end, then breaks it off and gives it back", async () => {
    given.receiver.answers["/soon"] = async (response) => {
      await sleep(150);
      response.end();
    };
    const soon = await given.office.post(await at("/soon"));
    const hung = await given.office.post(await at("/hang"), { step: 2 });
    const running = given.office.start({ deadlineMs: 20_000 });
    await given.receiver.until(2);
    await running.stop(400);
    expect(await state(soon)).toBe("delivered");
    expect(await given.office.delivery(hung)).toMatchObject({ state: "pending", step: 2, attempts: 1, lease_until: null, next_attempt_at: given.clock.now() });
    expect((await given.office.attempts(hung))[0]).toMatchObject({ outcome: "interrupted" });
    given.receiver.answers["/hang"] = (response) => response.end();
    given.office.start();
    await becomes(hung, "delivered");
    expect((await given.office.attempts(hung)).map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, "interrupted"],
      [2, "ok"],
    ]);
    given.receiver.answers["/hang"] = () => {};
  });

  test("a try whose worker died is taken over when its lease has run out, and says so", async () => {
    const dead = { lease_until: given.clock.now() + LEASE_MS, lease_token: "somebody", attempts: 1 };
    const id = await given.office.post(await at("/ok"), dead);
    const running = given.office.start();
    await sleep(150);
    expect(given.receiver.got).toEqual([]);
    await given.office.database.write((tx) => tx.updateTable("deliveries").set({ lease_until: 1 }).execute());
    await becomes(id, "delivered");
    expect((await given.office.attempts(id)).map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, "interrupted"],
      [2, "ok"],
    ]);
    // Who is alone need not wait.
    const other = await given.office.post(await at("/ok"), { ...dead, lease_until: given.clock.now() + LEASE_MS });
    await given.office.database.write((tx) => endLeases(tx, engine, given.clock.now(), [], true));
    running.wake();
    await becomes(other, "delivered");
  });

  test("a try whose worker died is kept where the endpoint was paused meanwhile, given up where it was deleted", async () => {
    const dead = { lease_until: given.clock.now() - 1, lease_token: "somebody", attempts: 1 };
    const paused = await at("/paused", { enabled: 0 });
    const [held, probe] = [await given.office.post(paused, dead), await given.office.post(paused, { ...dead, is_test: 1 })];
    const failed = await given.office.post(await at("/deleted", { deleted_at: given.clock.now() }), dead);
    given.office.start();
    await becomes(probe, "delivered");
    expect(await given.office.delivery(held)).toMatchObject({ state: "held", next_attempt_at: null, lease_until: null });
    expect(await given.office.delivery(failed)).toMatchObject({ state: "failed", next_attempt_at: null, done_at: given.clock.now() });
    expect(given.receiver.got.map(({ path }) => path)).toEqual(["/paused"]);
  });

  test("whoever lost the lease records nothing", async () => {
    const gate = Promise.withResolvers<void>();
    given.receiver.answers["/lost"] = async (response) => {
      await gate.promise;
      response.writeHead(500).end();
    };
    const id = await given.office.post(await at("/lost"));
    const running = given.office.start();
    await given.receiver.until(1);
    await given.office.database.write((tx) =>
      tx.updateTable("deliveries").set({ lease_token: "another's", state: "delivered", next_attempt_at: null }).execute(),
    );
    gate.resolve();
    await running.stop();
    expect(await given.office.delivery(id)).toMatchObject({ state: "delivered", lease_token: "another's" });
    expect(await given.office.attempts(id)).toEqual([]);
    expect(given.office.told.deliveries).toEqual([]);
  });

  test.runIf(engine === "postgres")("workers whose clocks differ by an hour do not send one try twice at once", async () => {
    const [hung, soon] = [await at("/hang"), await at("/ok")];
    const id = await given.office.post(hung);
    given.office.start({ deadlineMs: 20_000, lookEveryMs: 60_000 });
    await given.receiver.until(1);
    const others = [given.office.data.open(), given.office.data.open()];
    for (const [index, by] of [HOUR, -HOUR].entries()) {
      const worker = given.office.start({ clock: movableClock(given.clock.now() + by), database: others[index]!, lookEveryMs: 20 });
      await becomes(await given.office.post(soon, { next_attempt_at: given.clock.now() - 2 * HOUR }), "delivered");
      await worker.stop();
    }
    expect(given.receiver.got.filter(({ path }) => path === "/hang")).toHaveLength(1);
    expect(await given.office.delivery(id)).toMatchObject({ attempts: 1, state: "pending" });
    expect((await given.office.delivery(id)).lease_until).not.toBeNull();
    await Promise.all(others.map((database) => database.close()));
  });

  describe("a clock that moves by an hour", () => {
    test("forward: what is under way is not sent twice, and signatures carry the new time", async () => {
      const gate = Promise.withResolvers<void>();
      given.receiver.answers["/slow"] = async (response) => {
        await gate.promise;
        response.end();
      };
      const id = await given.office.post(await at("/slow"));
      given.office.start({ deadlineMs: 20_000 });
      await given.receiver.until(1);
      given.clock.pass(HOUR);
      await sleep(200);
      expect(given.receiver.got).toHaveLength(1);
      gate.resolve();
      await becomes(id, "delivered");
      expect((await given.office.attempts(id))[0]!.duration).toBeLessThan(HOUR / 2);
      const other = await given.office.post(await at("/ok"));
      await becomes(other, "delivered");
      expect(Number(given.receiver.got.at(-1)!.headers["webhook-timestamp"])).toBe(Math.floor(given.clock.now() / 1_000));
    });
    test("back: what was due at once is sent at once, what a dead worker held is freed", async () => {
      const endpoint = await at("/ok");
      const due = await given.office.post(endpoint);
      // PostgreSQL compares by its own clock, which nobody moves here.
      const dead = await given.office.post(endpoint, {
        lease_until: engine === "postgres" ? 1 : given.clock.now() + LEASE_MS,
        lease_token: "dead",
        attempts: 1,
      });
      const running = given.office.start({ lookEveryMs: 20 });
      await becomes(due, "delivered");
      const next = await given.office.post(endpoint, { next_attempt_at: given.clock.now() + 30 * MINUTE, step: 4 });
      const [late] = [await given.office.post(endpoint, { next_attempt_at: given.clock.now() + 1 })];
      given.clock.pass(-HOUR);
      running.wake();
      await becomes(late, "delivered");
      await becomes(dead, "delivered");
      expect(await state(next)).toBe("pending");
      given.clock.pass(2 * HOUR);
      await becomes(next, "delivered");
    });
  });
});
