import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { createModules } from "../../create-modules.ts";
import { DAY, HOUR } from "../../lib/clock.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { findDeliveries, WEBHOOK_URL, insertDelivery, registerEndpoint, recordAttempt } from "../../testing/webhooks.ts";

describe.each(ENGINES)("webhook endpoints on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const createOwnerEndpoint = (input: Parameters<typeof registerEndpoint>[2] = {}) => registerEndpoint(fixtures.testApp, fixtures.owner, input);
  const update = (endpoint_id: number, body: object) =>
    fixtures.testApp.call(fixtures.owner, webhooks.updateWebhookEndpoint, { params: { endpoint_id }, body });
  const getEndpoint = async (endpoint_id: number) =>
    (await fixtures.testApp.call(fixtures.owner, webhooks.getWebhookEndpoint, { params: { endpoint_id } })).response.data;
  const findRow = (id: number) => fixtures.testApp.database.read.selectFrom("webhook_endpoints").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const updateRow = (id: number, values: object) =>
    fixtures.testApp.database.write((tx) => tx.updateTable("webhook_endpoints").set(values).where("id", "=", id).execute());
  const leaseDelivery = (id: number) =>
    fixtures.testApp.database.write((tx) =>
      tx
        .updateTable("deliveries")
        .set({ lease_until: fixtures.testApp.clock.now() + 60_000, lease_token: "somebody's" })
        .where("id", "=", id)
        .execute(),
    );
  const loadAudit = (target: string) =>
    fixtures.testApp.database.read.selectFrom("audit").select(["action", "detail", "account_id"]).where("target", "=", target).orderBy("id").execute();

  test("pausing holds pending deliveries except tests and attempts in progress", async () => {
    const id = await createOwnerEndpoint();
    const [waitingId, sent, tested, failed] = [
      await insertDelivery(fixtures.testApp, id, "pending"),
      await insertDelivery(fixtures.testApp, id, "pending"),
      await insertDelivery(fixtures.testApp, id, "pending", { isTest: true }),
      await insertDelivery(fixtures.testApp, id, "failed"),
    ];
    await leaseDelivery(sent);
    const { data } = (await update(id, { enabled: false })).response;
    expect(data).toMatchObject({ enabled: false, disabled_reason: "paused", disabled_by_account_id: fixtures.owner.id, held_count: 1 });
    const states = new Map((await findDeliveries(fixtures.testApp, id)).map((entry) => [entry.id, [entry.state, entry.next_attempt_at === null]]));
    expect(states.get(waitingId)).toEqual(["held", true]);
    expect(states.get(sent)).toEqual(["pending", false]);
    expect(states.get(tested)).toEqual(["pending", false]);
    expect(states.get(failed)).toEqual(["failed", true]);
  });

  test("resuming clears the failing state and leaves held deliveries to Recover", async () => {
    const id = await createOwnerEndpoint();
    const held = await insertDelivery(fixtures.testApp, id, "held");
    await updateRow(id, { enabled: 0, disabled_reason: "failing", disabled_at: 1, failing_since: 1 });
    expect(await getEndpoint(id)).toMatchObject({ enabled: false, disabled_reason: "failing", failing_since: new Date(1).toISOString() });
    // Pausing a disabled endpoint does not overwrite the reason.
    expect((await update(id, { enabled: false })).response.data.disabled_reason).toBe("failing");
    expect((await update(id, { enabled: true })).response.data).toMatchObject({
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      disabled_by_account_id: null,
      failing_since: null,
      held_count: 1,
    });
    expect((await findDeliveries(fixtures.testApp, id)).find((entry) => entry.id === held)?.state).toBe("held");
  });

  test("a new URL clears the failing state", async () => {
    const id = await createOwnerEndpoint();
    await updateRow(id, { failing_since: 1 });
    expect((await update(id, { description: "same place" })).response.data.failing_since).toBe(new Date(1).toISOString());
    expect((await update(id, { url: `${WEBHOOK_URL}/moved` })).response.data.failing_since).toBeNull();
  });

  test("deleting fails pending and held deliveries, erases the secrets and hides the log", async () => {
    const id = await createOwnerEndpoint();
    const [waitingId, held, sent] = [
      await insertDelivery(fixtures.testApp, id, "pending"),
      await insertDelivery(fixtures.testApp, id, "held"),
      await insertDelivery(fixtures.testApp, id, "pending"),
    ];
    await leaseDelivery(sent);
    expect((await fixtures.testApp.call(fixtures.owner, webhooks.deleteWebhookEndpoint, { params: { endpoint_id: id } })).status).toBe(204);
    const states = new Map((await findDeliveries(fixtures.testApp, id)).map((entry) => [entry.id, entry]));
    for (const deliveryId of [waitingId, held])
      expect(states.get(deliveryId)).toMatchObject({ state: "failed", next_attempt_at: null, done_at: fixtures.testApp.clock.now() });
    expect(states.get(sent)?.state).toBe("pending");
    expect(await findRow(id)).toMatchObject({ secret: "", previous_secrets: "[]" });
    expect((await fixtures.testApp.call(fixtures.owner, webhooks.getDelivery, { params: { delivery_id: waitingId } })).status).toBe(404);
    const lastEvent = await fixtures.testApp.database.read
      .selectFrom("events")
      .select(["type", "data"])
      .where("topic", "=", "organisation:1")
      .orderBy("seq", "desc")
      .executeTakeFirstOrThrow();
    expect([lastEvent.type, JSON.parse(lastEvent.data)]).toEqual(["webhook_endpoint.deleted", { id }]);
  });

  test("the old secret stays valid for 24 hours after a rotation", async () => {
    const created = (await fixtures.testApp.call(fixtures.owner, webhooks.createWebhookEndpoint, { body: { url: WEBHOOK_URL, event_types: ["file.renamed"] } }))
      .response.data;
    const rotated = (await fixtures.testApp.call(fixtures.owner, webhooks.rotateWebhookSecret, { params: { endpoint_id: created.id } })).response.data;
    const secretsAt = async (now: number) => createModules(fixtures.testApp).webhookDeps.secrets.decryptSecrets(await findRow(created.id), now);
    const now = fixtures.testApp.clock.now();
    expect(rotated.secret).not.toBe(created.secret);
    expect(await secretsAt(now)).toEqual([rotated.secret, created.secret]);
    expect(await secretsAt(now + DAY - 1)).toEqual([rotated.secret, created.secret]);
    expect(await secretsAt(now + DAY)).toEqual([rotated.secret]);
    expect((await getEndpoint(created.id)).previous_secret_until).toBe(new Date(now + DAY).toISOString());
    fixtures.testApp.clock.advance(DAY);
    expect((await getEndpoint(created.id)).previous_secret_until).toBeNull();
  });

  test("repeated rotations keep every secret of the last 24 hours, up to a limit", async () => {
    const { data } = (
      await fixtures.testApp.call(fixtures.owner, webhooks.createWebhookEndpoint, { body: { url: WEBHOOK_URL, event_types: ["file.renamed"] } })
    ).response;
    const rotate = () => fixtures.testApp.call(fixtures.owner, webhooks.rotateWebhookSecret, { params: { endpoint_id: data.id } });
    const rotateAndGetSecret = async () => (await rotate()).response.data.secret;
    const secretsAt = async (now: number) => createModules(fixtures.testApp).webhookDeps.secrets.decryptSecrets(await findRow(data.id), now);
    const start = fixtures.testApp.clock.now();
    const second = await rotateAndGetSecret();
    fixtures.testApp.clock.advance(HOUR);
    const third = await rotateAndGetSecret();
    expect(await secretsAt(fixtures.testApp.clock.now())).toEqual([third, second, data.secret]);
    expect(await secretsAt(start + DAY)).toEqual([third, second]);
    expect(await secretsAt(start + DAY + HOUR)).toEqual([third]);
    expect((await getEndpoint(data.id)).previous_secret_until).toBe(new Date(start + DAY + HOUR).toISOString());
    for (let count = 2; count < 5; count += 1) await rotateAndGetSecret();
    const before = await findRow(data.id);
    expect((await rotate()).status).toBe(409);
    expect(await findRow(data.id)).toEqual(before);
    fixtures.testApp.clock.advance(DAY - HOUR);
    expect((await rotate()).status).toBe(200);
    expect(JSON.parse((await findRow(data.id)).previous_secrets)).toHaveLength(5);
  });

  test("the chart counts the deliveries of the last 24 hours by hour and result, without tests", async () => {
    const id = await createOwnerEndpoint();
    const other = await createOwnerEndpoint();
    const now = fixtures.testApp.clock.now();
    const start = Math.floor(now / HOUR) * HOUR;
    for (const [state, at, isTest] of [
      ["delivered", now],
      ["delivered", start],
      ["failed", start - 1],
      ["pending", start - HOUR],
      ["held", start - HOUR],
      ["delivered", start - 23 * HOUR],
      ["delivered", start - 23 * HOUR - 1],
      ["delivered", now + 1, true],
    ] as const)
      await insertDelivery(fixtures.testApp, id, state, { createdAt: at, isTest: isTest ?? false });
    await insertDelivery(fixtures.testApp, other, "failed", { createdAt: now });
    const { recent, last_delivered_at, held_count } = await getEndpoint(id);
    expect(recent.map(({ hour }) => Date.parse(hour))).toEqual(Array.from({ length: 24 }, (_, index) => start - (23 - index) * HOUR));
    expect(recent.filter((hour) => hour.delivered + hour.failed + hour.waiting > 0)).toEqual([
      { hour: new Date(start - 23 * HOUR).toISOString(), delivered: 1, failed: 0, waiting: 0 },
      { hour: new Date(start - HOUR).toISOString(), delivered: 0, failed: 1, waiting: 2 },
      { hour: new Date(start).toISOString(), delivered: 2, failed: 0, waiting: 0 },
    ]);
    expect({ last_delivered_at, held_count }).toEqual({ last_delivered_at: new Date(now).toISOString(), held_count: 1 });
    const listed = (await fixtures.testApp.call(fixtures.owner, webhooks.listWebhookEndpoints)).response.data;
    expect(listed.find((entry) => entry.id === id)?.recent).toEqual(recent);
    expect(listed.find((entry) => entry.id === other)?.recent.at(-1)).toMatchObject({ delivered: 0, failed: 1, waiting: 0 });
  });

  test("actions are recorded in the audit log without secrets", async () => {
    const id = await createOwnerEndpoint();
    await update(id, { enabled: false });
    await update(id, {});
    await fixtures.testApp.call(fixtures.admin, webhooks.rotateWebhookSecret, { params: { endpoint_id: id } });
    await update(id, { enabled: true });
    await recordAttempt(
      fixtures.testApp,
      await insertDelivery(fixtures.testApp, id, "pending"),
      { outcome: "refused", status: null },
      { state: "failed", next_attempt_at: null },
    );
    await fixtures.testApp.call(fixtures.owner, webhooks.recoverDeliveries, {
      params: { endpoint_id: id },
      body: { since: new Date(fixtures.testApp.clock.now() - HOUR).toISOString() },
    });
    await fixtures.testApp.call(fixtures.owner, webhooks.deleteWebhookEndpoint, { params: { endpoint_id: id } });
    const entries = await loadAudit(`webhook_endpoint:${id}`);
    expect(entries.map(({ action }) => action)).toEqual([
      "webhook.created",
      "webhook.updated",
      "webhook.secret_rotated",
      "webhook.updated",
      "webhook.recovered",
      "webhook.deleted",
    ]);
    expect(entries[2]?.account_id).toBe(fixtures.admin.id);
    expect(JSON.stringify(entries)).not.toMatch(/whsec_|v1:/);
  });

  test("twenty simultaneous requests with one Idempotency-Key create one endpoint and show its secret once", async () => {
    const body = { url: `${WEBHOOK_URL}/at-once`, event_types: ["file.renamed" as const] };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        fixtures.testApp.call(
          fixtures.owner,
          webhooks.createWebhookEndpoint,
          { body },
          { headers: { "idempotency-key": `burst ${engine}`.replace(" ", "-") } },
        ),
      ),
    );
    expect(new Set(replies.map((reply) => reply.response.data.id)).size).toBe(1);
    expect(replies.filter((reply) => reply.response.data.secret !== undefined)).toHaveLength(1);
  });

  test("the number of endpoints per organization is limited", async () => {
    const now = fixtures.testApp.clock.now();
    const { id: account } = fixtures.foreignOwner;
    const { organisation_id } = await fixtures.testApp.database.read
      .selectFrom("accounts")
      .select("organisation_id")
      .where("id", "=", account)
      .executeTakeFirstOrThrow();
    const endpointRow = {
      organisation_id,
      url: WEBHOOK_URL,
      event_types: '["file.renamed"]',
      description: "",
      enabled: 1 as const,
      secret: "",
      created_by: account,
      created_at: now,
      updated_at: now,
    };
    await fixtures.testApp.database.write((tx) =>
      tx
        .insertInto("webhook_endpoints")
        .values(Array.from({ length: LIMITS.webhook_endpoints }, () => endpointRow))
        .execute(),
    );
    const body = { url: WEBHOOK_URL, event_types: ["file.renamed" as const] };
    expect((await fixtures.testApp.call(fixtures.foreignOwner, webhooks.createWebhookEndpoint, { body })).problem.detail).toContain("Delete one first");
  });
});
