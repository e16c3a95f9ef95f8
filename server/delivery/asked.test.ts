/** What people ask for goes first and at once; what receivers ask for is heeded; an address is only judged by its own answers. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { DAY, HOUR } from "../lib/clock.ts";
import { ENGINES } from "../testing/engines.ts";
import { givenDelivery } from "../testing/given-delivery.ts";

describe.each(ENGINES)("people and receivers ask on %s", (engine) => {
  const given = givenDelivery(engine);
  const { at, becomes, tries } = given;

  test("a test passes a backlog, and tries that hang at its receiver", async () => {
    let hung = 0;
    for (const failing_since of [null, given.clock.now()]) {
      hung = failing_since === null ? 0 : 3;
      // An address of its own: what the first engine had sent when it was stopped may still come in.
      const path = `/mostly/${hung}`;
      given.receiver.answers[path] = (response) => void (hung < 4 ? (hung += 1) : response.end());
      const endpoint = await at(path, { failing_since });
      for (let count = 0; count < 20; count += 1) await given.office.post(endpoint, { next_attempt_at: given.clock.now() - HOUR });
      const running = given.office.start({ deadlineMs: 60_000 });
      await given.office.until("all its places are taken", async () => hung === 4);
      const probe = await given.office.post(endpoint, { is_test: 1 });
      running.wake();
      await becomes(probe, "delivered");
      // Behind the tries that hang, before all that waits.
      const place = failing_since === null ? 4 : 1;
      expect(given.receiver.got.filter((one) => one.path === path)[place]?.headers["webhook-id"]).toBe((await given.office.delivery(probe)).event_id);
      await running.stop(0);
      await given.office.database.write((tx) => tx.updateTable("deliveries").set({ state: "failed", next_attempt_at: null }).execute());
    }
  });

  test("of two tests at a receiver that hangs, one has the extra place, and both count where there is room", async () => {
    given.receiver.answers["/never"] = () => {};
    const endpoint = await at("/never");
    for (let count = 0; count < 8; count += 1) await given.office.post(endpoint);
    given.office.start({ deadlineMs: 60_000 });
    // What another test's engine had sent when it was stopped may still come in.
    const arrived = () => given.receiver.got.filter(({ path }) => path === "/never").length;
    await given.office.until("all its places are taken", async () => arrived() === 4);
    const probes = [await given.office.post(endpoint, { is_test: 1 }), await given.office.post(endpoint, { is_test: 1 })];
    await given.office.until("the extra place is taken", async () => arrived() === 5);
    await sleep(200);
    expect(arrived()).toBe(5);
    expect((await Promise.all(probes.map((id) => given.office.delivery(id)))).map(({ attempts }) => attempts)).toEqual([1, 0]);
  });

  test("a receiver that asks to wait is let be, by all its deliveries, but for what people ask for", async () => {
    const endpoint = await at("/busy");
    const first = await given.office.post(endpoint);
    const running = given.office.start({ lookEveryMs: 20 });
    await tries(first, 1);
    expect((await given.office.endpointRow(endpoint)).not_before).toBe(given.clock.now() + 120_000);
    const [next, again] = [await given.office.post(endpoint), await given.office.post(endpoint, { by_hand: 1 })];
    await tries(again, 1);
    expect(await given.office.delivery(again)).toMatchObject({ state: "pending", by_hand: 0 });
    const probe = await given.office.post(endpoint, { is_test: 1 });
    await becomes(probe, "failed");
    expect(await given.office.delivery(next)).toMatchObject({ attempts: 0, state: "pending" });
    given.clock.pass(119_999);
    running.wake();
    await becomes(await given.office.post(await at("/ok")), "delivered");
    expect(await given.office.attempts(next)).toEqual([]);
    given.receiver.answers["/busy"] = (response) => response.end();
    given.clock.pass(1);
    await becomes(next, "delivered");
    given.receiver.answers["/busy"] = (response) => response.writeHead(429, { "retry-after": "120" }).end();
  });

  test("a good answer to what a person asked for ends the waiting, and so does a wish from a clock that was put back", async () => {
    const waits = { not_before: given.clock.now() + HOUR };
    const [ready, far] = [await at("/ok", waits), await at("/ok", { not_before: given.clock.now() + 2 * DAY })];
    const [one, two] = [await given.office.post(ready), await given.office.post(far)];
    given.office.start();
    await becomes(two, "delivered");
    expect(await given.office.attempts(one)).toEqual([]);
    await given.office.post(ready, { is_test: 1 });
    await becomes(one, "delivered");
    expect((await given.office.endpointRow(ready)).not_before).toBeNull();
  });

  test.each([
    ["/late-gone", 410],
    ["/late-busy", 503],
    ["/late-ok", 200],
  ])("%s: the answer of an address that is no longer the endpoint's changes only its delivery", async (path, status) => {
    const gate = Promise.withResolvers<void>();
    given.receiver.answers[path] = async (response) => {
      await gate.promise;
      response.writeHead(status, status === 503 ? { "retry-after": "3600" } : {}).end();
    };
    const endpoint = await at(path, { failing_since: given.clock.now() - 6 * DAY });
    const id = await given.office.post(endpoint, { step: 2 });
    given.office.start();
    await given.office.until("it is there", async () => given.receiver.got.some((one) => one.path === path));
    const failing_since = status === 200 ? given.clock.now() - HOUR : null;
    await given.office.database.write((tx) =>
      tx
        .updateTable("webhook_endpoints")
        .set({ url: `${given.receiver.base}/new`, failing_since })
        .execute(),
    );
    const before = await given.office.endpointRow(endpoint);
    gate.resolve();
    await tries(id, 1);
    expect(await given.office.endpointRow(endpoint)).toEqual(before);
    expect(await given.office.delivery(id)).toMatchObject(status === 200 ? { state: "delivered" } : { state: "pending", step: 3 });
    expect(given.office.told.endpoints).toEqual([]);
  });

  test("what was due at once is hurried at the start, and again after a hurry that failed", async () => {
    const ahead = await given.office.post(await at("/ok"), { next_attempt_at: given.clock.now() + HOUR });
    let fails = 1;
    const write: typeof given.office.database.write = (work) => ((fails -= 1) >= 0 ? Promise.reject(new Error("no disk")) : given.office.database.write(work));
    given.office.start({ database: { ...given.office.database, write } });
    await becomes(ahead, "delivered");
    expect(given.office.warnings.splice(0).map(String)).toEqual(["Error: no disk"]);
  });
});
