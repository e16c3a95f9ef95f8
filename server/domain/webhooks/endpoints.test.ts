import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { createServices } from "../../services-room.ts";
import { DAY, HOUR } from "../../lib/clock.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { ENGINES } from "../../testing/engines.ts";
import { deliveriesOf, HOOK_URL, newDelivery, newEndpoint, tryDelivery } from "../../testing/webhooks.ts";

describe.each(ENGINES)("webhook endpoints on %s", { timeout: 30_000 }, (engine) => {
  let cast: Cast;
  beforeAll(async () => void (cast = await startCast(engine)), 60_000);
  afterAll(() => cast.world.close());

  const endpoint = (wish: Parameters<typeof newEndpoint>[2] = {}) => newEndpoint(cast.world, cast.owner, wish);
  const update = (endpoint_id: number, body: object) => cast.world.call(cast.owner, webhooks.updateWebhookEndpoint, { params: { endpoint_id }, body });
  const shown = async (endpoint_id: number) => (await cast.world.call(cast.owner, webhooks.getWebhookEndpoint, { params: { endpoint_id } })).answer.data;
  const row = (id: number) => cast.world.database.read.selectFrom("webhook_endpoints").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const set = (id: number, values: object) => cast.world.database.write((tx) => tx.updateTable("webhook_endpoints").set(values).where("id", "=", id).execute());
  const lease = (id: number) =>
    cast.world.database.write((tx) =>
      tx
        .updateTable("deliveries")
        .set({ lease_until: cast.world.clock.now() + 60_000, lease_token: "somebody's" })
        .where("id", "=", id)
        .execute(),
    );
  const audited = (target: string) =>
    cast.world.database.read.selectFrom("audit").select(["action", "detail", "account_id"]).where("target", "=", target).orderBy("id").execute();

  test("pausing holds what waits, but not a test, and not what is being sent at this moment", async () => {
    const id = await endpoint();
    const [waits, sent, tested, failed] = [
      await newDelivery(cast.world, id, "pending"),
      await newDelivery(cast.world, id, "pending"),
      await newDelivery(cast.world, id, "pending", { test: true }),
      await newDelivery(cast.world, id, "failed"),
    ];
    await lease(sent);
    const { data } = (await update(id, { enabled: false })).answer;
    expect(data).toMatchObject({ enabled: false, disabled_reason: "paused", disabled_by_account_id: cast.owner.id, held_count: 1 });
    const states = new Map((await deliveriesOf(cast.world, id)).map((one) => [one.id, [one.state, one.next_attempt_at === null]]));
    expect(states.get(waits)).toEqual(["held", true]);
    expect(states.get(sent)).toEqual(["pending", false]);
    expect(states.get(tested)).toEqual(["pending", false]);
    expect(states.get(failed)).toEqual(["failed", true]);
  });

  test("resuming starts anew with no failures behind it, and leaves what is held to Recover", async () => {
    const id = await endpoint();
    const held = await newDelivery(cast.world, id, "held");
    await set(id, { enabled: 0, disabled_reason: "failing", disabled_at: 1, failing_since: 1 });
    expect(await shown(id)).toMatchObject({ enabled: false, disabled_reason: "failing", failing_since: new Date(1).toISOString() });
    // Pausing what is off already does not hide why.
    expect((await update(id, { enabled: false })).answer.data.disabled_reason).toBe("failing");
    expect((await update(id, { enabled: true })).answer.data).toMatchObject({
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      disabled_by_account_id: null,
      failing_since: null,
      held_count: 1,
    });
    expect((await deliveriesOf(cast.world, id)).find((one) => one.id === held)?.state).toBe("held");
  });

  test("another address starts without the failures of the one before", async () => {
    const id = await endpoint();
    await set(id, { failing_since: 1 });
    expect((await update(id, { description: "same place" })).answer.data.failing_since).toBe(new Date(1).toISOString());
    expect((await update(id, { url: `${HOOK_URL}/moved` })).answer.data.failing_since).toBeNull();
  });

  test("deleting gives up what waits and what is held, forgets the secrets, and hides the log", async () => {
    const id = await endpoint();
    const [waits, held, sent] = [
      await newDelivery(cast.world, id, "pending"),
      await newDelivery(cast.world, id, "held"),
      await newDelivery(cast.world, id, "pending"),
    ];
    await lease(sent);
    expect((await cast.world.call(cast.owner, webhooks.deleteWebhookEndpoint, { params: { endpoint_id: id } })).status).toBe(204);
    const states = new Map((await deliveriesOf(cast.world, id)).map((one) => [one.id, one]));
    for (const one of [waits, held]) expect(states.get(one)).toMatchObject({ state: "failed", next_attempt_at: null, done_at: cast.world.clock.now() });
    expect(states.get(sent)?.state).toBe("pending");
    expect(await row(id)).toMatchObject({ secret: "", previous_secrets: "[]" });
    expect((await cast.world.call(cast.owner, webhooks.getDelivery, { params: { delivery_id: waits } })).status).toBe(404);
    const told = await cast.world.database.read
      .selectFrom("events")
      .select(["type", "data"])
      .where("topic", "=", "organisation:1")
      .orderBy("seq", "desc")
      .executeTakeFirstOrThrow();
    expect([told.type, JSON.parse(told.data)]).toEqual(["webhook_endpoint.deleted", { id }]);
  });

  test("a rotated secret is followed by the old one for 24 hours", async () => {
    const made = (await cast.world.call(cast.owner, webhooks.createWebhookEndpoint, { body: { url: HOOK_URL, event_types: ["file.renamed"] } })).answer.data;
    const rotated = (await cast.world.call(cast.owner, webhooks.rotateWebhookSecret, { params: { endpoint_id: made.id } })).answer.data;
    const secretsAt = async (now: number) => createServices(cast.world).hooks.secrets.secretsOf(await row(made.id), now);
    const now = cast.world.clock.now();
    expect(rotated.secret).not.toBe(made.secret);
    expect(await secretsAt(now)).toEqual([rotated.secret, made.secret]);
    expect(await secretsAt(now + DAY - 1)).toEqual([rotated.secret, made.secret]);
    expect(await secretsAt(now + DAY)).toEqual([rotated.secret]);
    expect((await shown(made.id)).previous_secret_until).toBe(new Date(now + DAY).toISOString());
    cast.world.clock.pass(DAY);
    expect((await shown(made.id)).previous_secret_until).toBeNull();
  });

  test("a secret that is rotated twice in a row leaves out none that receivers still use", async () => {
    const { data } = (await cast.world.call(cast.owner, webhooks.createWebhookEndpoint, { body: { url: HOOK_URL, event_types: ["file.renamed"] } })).answer;
    const rotate = () => cast.world.call(cast.owner, webhooks.rotateWebhookSecret, { params: { endpoint_id: data.id } });
    const rotated = async () => (await rotate()).answer.data.secret;
    const secretsAt = async (now: number) => createServices(cast.world).hooks.secrets.secretsOf(await row(data.id), now);
    const start = cast.world.clock.now();
    const second = await rotated();
    cast.world.clock.pass(HOUR);
    const third = await rotated();
    expect(await secretsAt(cast.world.clock.now())).toEqual([third, second, data.secret]);
    expect(await secretsAt(start + DAY)).toEqual([third, second]);
    expect(await secretsAt(start + DAY + HOUR)).toEqual([third]);
    expect((await shown(data.id)).previous_secret_until).toBe(new Date(start + DAY + HOUR).toISOString());
    for (let count = 2; count < 5; count += 1) await rotated();
    const before = await row(data.id);
    expect((await rotate()).status).toBe(409);
    expect(await row(data.id)).toEqual(before);
    cast.world.clock.pass(DAY - HOUR);
    expect((await rotate()).status).toBe(200);
    expect(JSON.parse((await row(data.id)).previous_secrets)).toHaveLength(5);
  });

  test("the chart counts what became of the last 24 hours' events, hour by hour, without tests", async () => {
    const id = await endpoint();
    const other = await endpoint();
    const now = cast.world.clock.now();
    const start = Math.floor(now / HOUR) * HOUR;
    for (const [state, at, isTest] of [
      ["delivered", now],
      ["delivered", start],
      ["failed", start - 1],
      ["pending", start - HOUR],
      ["held", start - HOUR],
      ["delivered", start - 23 * HOUR],
      ["delivered", start - 23 * HOUR - 1],
      ["delivered", now, true],
    ] as const)
      await newDelivery(cast.world, id, state, { at, test: isTest ?? false });
    await newDelivery(cast.world, other, "failed", { at: now });
    const { recent, last_delivered_at, held_count } = await shown(id);
    expect(recent.map(({ hour }) => Date.parse(hour))).toEqual(Array.from({ length: 24 }, (_, index) => start - (23 - index) * HOUR));
    expect(recent.filter((hour) => hour.delivered + hour.failed + hour.waiting > 0)).toEqual([
      { hour: new Date(start - 23 * HOUR).toISOString(), delivered: 1, failed: 0, waiting: 0 },
      { hour: new Date(start - HOUR).toISOString(), delivered: 0, failed: 1, waiting: 2 },
      { hour: new Date(start).toISOString(), delivered: 2, failed: 0, waiting: 0 },
    ]);
    expect({ last_delivered_at, held_count }).toEqual({ last_delivered_at: new Date(now).toISOString(), held_count: 1 });
    const listed = (await cast.world.call(cast.owner, webhooks.listWebhookEndpoints)).answer.data;
    expect(listed.find((one) => one.id === id)?.recent).toEqual(recent);
    expect(listed.find((one) => one.id === other)?.recent.at(-1)).toMatchObject({ delivered: 0, failed: 1, waiting: 0 });
  });

  test("who did what is written down, without secrets", async () => {
    const id = await endpoint();
    await update(id, { enabled: false });
    await update(id, {});
    await cast.world.call(cast.admin, webhooks.rotateWebhookSecret, { params: { endpoint_id: id } });
    await update(id, { enabled: true });
    await tryDelivery(
      cast.world,
      await newDelivery(cast.world, id, "pending"),
      { outcome: "refused", status: null },
      { state: "failed", next_attempt_at: null },
    );
    await cast.world.call(cast.owner, webhooks.recoverDeliveries, {
      params: { endpoint_id: id },
      body: { since: new Date(cast.world.clock.now() - HOUR).toISOString() },
    });
    await cast.world.call(cast.owner, webhooks.deleteWebhookEndpoint, { params: { endpoint_id: id } });
    const entries = await audited(`webhook_endpoint:${id}`);
    expect(entries.map(({ action }) => action)).toEqual([
      "webhook.created",
      "webhook.updated",
      "webhook.secret_rotated",
      "webhook.updated",
      "webhook.recovered",
      "webhook.deleted",
    ]);
    expect(entries[2]?.account_id).toBe(cast.admin.id);
    expect(JSON.stringify(entries)).not.toMatch(/whsec_|v1:/);
  });

  test("twenty times the same request at once makes one endpoint, and shows its secret once", async () => {
    const body = { url: `${HOOK_URL}/at-once`, event_types: ["file.renamed" as const] };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        cast.world.call(cast.owner, webhooks.createWebhookEndpoint, { body }, { headers: { "idempotency-key": `burst ${engine}`.replace(" ", "-") } }),
      ),
    );
    expect(new Set(replies.map((reply) => reply.answer.data.id)).size).toBe(1);
    expect(replies.filter((reply) => reply.answer.data.secret !== undefined)).toHaveLength(1);
  });

  test("a limit bounds what one organisation can make the service send", async () => {
    const now = cast.world.clock.now();
    const { id: account } = cast.foreignOwner;
    const { organisation_id } = await cast.world.database.read
      .selectFrom("accounts")
      .select("organisation_id")
      .where("id", "=", account)
      .executeTakeFirstOrThrow();
    const one = {
      organisation_id,
      url: HOOK_URL,
      event_types: '["file.renamed"]',
      description: "",
      enabled: 1 as const,
      secret: "",
      created_by: account,
      created_at: now,
      updated_at: now,
    };
    await cast.world.database.write((tx) =>
      tx
        .insertInto("webhook_endpoints")
        .values(Array.from({ length: LIMITS.webhook_endpoints }, () => one))
        .execute(),
    );
    const body = { url: HOOK_URL, event_types: ["file.renamed" as const] };
    expect((await cast.world.call(cast.foreignOwner, webhooks.createWebhookEndpoint, { body })).problem.detail).toContain("Delete one first");
  });
});
