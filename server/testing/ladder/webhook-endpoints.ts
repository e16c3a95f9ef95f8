import { expect } from "vitest";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { WEBHOOK_EVENTS } from "../../../contract/webhook-events.ts";
import { DAY } from "../../lib/clock.ts";
import type { Cast } from "../cast.ts";
import { HOOK_URL, newEndpoint } from "../webhooks.ts";
import { BAD_BOOLEAN, BAD_ID_IN_PATH, badText, type Case } from "./case.ts";

const BAD_URL = [
  ...badText(2_048),
  "",
  "hooks.example.com",
  "http://hooks.example.com",
  "ftp://hooks.example.com",
  "https://",
  "https://ana:secret@hooks.example.com/",
  "https://hooks.example.com/#top",
  `https://hooks.example.com/${"x".repeat(2_048)}`,
  "https://127.0.0.1/",
  "https://127.1/",
  "https://0x7f000001/",
  "https://[::1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://10.0.0.8/hook",
  "https://169.254.169.254/latest",
  "https://localhost/",
  " https://hooks.example.com/",
  "https://hooks.exam\nple.com/",
];
const BAD_TYPES = [
  5,
  null,
  "file.renamed",
  {},
  [],
  [null],
  [5],
  ["file.deleted"],
  ["file.renamed", "file.renamed"],
  ["FILE.RENAMED"],
  ["*"],
  [""],
  ["x".repeat(101)],
  ["toString"],
];
export const foreignEndpoint = (body?: unknown): Case["foreign"] => [
  ["an endpoint of another organisation", async ({ world, foreignOwner }) => ({ params: { endpoint_id: await newEndpoint(world, foreignOwner) }, body }), 404],
  ["a deleted endpoint", async (cast) => ({ params: { endpoint_id: await deleted(cast) }, body }), 404],
  ["an endpoint that does not exist", () => ({ params: { endpoint_id: 999_999 }, body }), 404],
];
async function deleted({ world, owner }: Cast): Promise<number> {
  const endpoint_id = await newEndpoint(world, owner);
  await world.call(owner, webhooks.deleteWebhookEndpoint, { params: { endpoint_id } });
  return endpoint_id;
}
/** One that no case changes, so that few are made. */
const endpoints = new WeakMap<Cast, Promise<number>>();
export function lasting(cast: Cast): Promise<number> {
  const made = endpoints.get(cast) ?? newEndpoint(cast.world, cast.owner, { event_types: ["task.closed"] });
  endpoints.set(cast, made);
  return made;
}

export const createWebhookEndpoint: Case = {
  as: ({ admin }) => admin,
  good: () => ({ body: { url: HOOK_URL, event_types: ["file.status_changed", "file.renamed"], description: "The distributor's" } }),
  happy: async ({ answer, data, given, cast: { world, owner } }) => {
    expect(answer.object).toBe("webhook_endpoint");
    expect(data).toMatchObject({
      id: expect.any(Number),
      ...(given.body as object),
      enabled: true,
      created_at: new Date(world.clock.now()).toISOString(),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const listed = (await world.call(owner, webhooks.listWebhookEndpoints)).answer.data.find(({ id }) => id === data.id);
    const { secret, ...rest } = data;
    expect(listed).toEqual(rest);
    expect(secret.endsWith(rest.secret_hint)).toBe(true);
    expect(rest.secret_hint).toHaveLength(4);
  },
  bad: { "body.url": BAD_URL, "body.event_types": BAD_TYPES, "body.description": badText(500), "body.enabled": BAD_BOOLEAN },
  foreign: [],
  edge: {
    "who neither owns nor administers is refused, whatever they send": async ({ world, member, guest }) => {
      for (const caller of [member, guest])
        expect((await world.call(caller, webhooks.createWebhookEndpoint, { body: { url: "x", event_types: [] } })).status).toBe(403);
    },
    "names the member and the reason": async ({ world, owner }) => {
      const problem = async (body: object) =>
        (await world.wild(owner, webhooks.createWebhookEndpoint, { body: { url: HOOK_URL, event_types: ["file.renamed"], ...body } })).problem.errors?.[0];
      expect(await problem({ url: "http://x.example" })).toEqual({ path: "url", message: "must start with https://" });
      expect(await problem({ url: "https://192.168.0.4" })).toEqual({ path: "url", message: "must be a public address" });
      expect(await problem({ url: "https://a:b@x.example" })).toEqual({ path: "url", message: "must not contain a user name or password" });
      expect(await problem({ event_types: ["file.gone"] })).toEqual({
        path: "event_types",
        message: expect.stringContaining('"file.gone" is not an event type'),
      });
      expect(await problem({ event_types: ["file.renamed", "file.renamed"] })).toEqual({ path: "event_types", message: "must not name file.renamed twice" });
      expect(await problem({ event_types: [] })).toEqual({ path: "event_types", message: expect.stringContaining("at least one event type") });
    },
    "a repeated request answers the first result without the secret": async ({ world, owner }) => {
      const body = { url: `${HOOK_URL}/once`, event_types: ["file.uploaded"] };
      const headers = { "idempotency-key": "one-endpoint" };
      const first = (await world.call(owner, webhooks.createWebhookEndpoint, { body }, { headers })).answer.data;
      const { secret, ...rest } = first;
      expect(secret).toMatch(/^whsec_/);
      expect((await world.call(owner, webhooks.createWebhookEndpoint, { body }, { headers })).answer.data).toEqual(rest);
      const other = { ...body, url: `${HOOK_URL}/twice` };
      expect((await world.call(owner, webhooks.createWebhookEndpoint, { body: other }, { headers })).status).toBe(409);
      const kept = await world.database.read.selectFrom("idempotency").select("result").where("key", "=", "one-endpoint").executeTakeFirstOrThrow();
      expect(kept.result).not.toContain("whsec_");
      expect(kept.result).not.toContain('"secret":"v1');
    },
    "the secret is nowhere in the database as it was shown": async ({ world, owner }) => {
      const { data } = (await world.call(owner, webhooks.createWebhookEndpoint, { body: { url: HOOK_URL, event_types: ["file.renamed"] } })).answer;
      const row = await world.database.read.selectFrom("webhook_endpoints").selectAll().where("id", "=", data.id).executeTakeFirstOrThrow();
      const bare = (data.secret ?? "").slice("whsec_".length);
      expect(JSON.stringify(row)).not.toContain(bare);
      expect(JSON.stringify(row)).not.toContain(Buffer.from(bare, "base64").toString("hex"));
      const told = await world.database.read.selectFrom("events").select("data").where("type", "=", "webhook_endpoint.updated").execute();
      expect(JSON.stringify(told)).not.toContain(bare);
    },
  },
};

export const listWebhookEndpoints: Case = {
  as: ({ admin }) => admin,
  good: async (cast) => {
    await lasting(cast);
    await newEndpoint(cast.world, cast.foreignOwner);
    return {};
  },
  happy: async ({ data, cast }) => {
    const ids: number[] = data.map(({ id }: { id: number }) => id);
    expect(ids).toContain(await lasting(cast));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    const own = await cast.world.database.read
      .selectFrom("webhook_endpoints")
      .select("id")
      .where("organisation_id", "=", 1)
      .where("deleted_at", "is", null)
      .execute();
    expect(new Set(ids)).toEqual(new Set(own.map(({ id }) => id)));
    expect(data.every((one: object) => !("secret" in one) && !("previous_secrets" in one))).toBe(true);
  },
  bad: {},
  foreign: [],
  edge: {},
};

export const getWebhookEndpoint: Case = {
  as: ({ admin }) => admin,
  good: async (cast) => ({ params: { endpoint_id: await lasting(cast) } }),
  happy: ({ data }) => {
    expect(data).toMatchObject({
      url: HOOK_URL,
      event_types: ["task.closed"],
      failing_since: null,
      disabled_reason: null,
      held_count: 0,
      last_delivered_at: null,
    });
    expect(data.recent).toHaveLength(24);
    expect("secret" in data).toBe(false);
  },
  bad: { "params.endpoint_id": BAD_ID_IN_PATH },
  foreign: foreignEndpoint(),
  edge: {},
};

export const updateWebhookEndpoint: Case = {
  as: ({ admin }) => admin,
  good: async ({ world, owner }) => ({
    params: { endpoint_id: await newEndpoint(world, owner) },
    body: { url: `${HOOK_URL}/2`, event_types: ["file.renamed"], description: "", enabled: false },
  }),
  happy: ({ data, given, cast: { world, admin } }) =>
    expect(data).toMatchObject({
      ...(given.body as object),
      disabled_reason: "paused",
      disabled_at: new Date(world.clock.now()).toISOString(),
      disabled_by_account_id: admin.id,
    }),
  bad: {
    "params.endpoint_id": BAD_ID_IN_PATH,
    "body.url": BAD_URL,
    "body.event_types": BAD_TYPES,
    "body.description": badText(500),
    "body.enabled": BAD_BOOLEAN,
  },
  foreign: foreignEndpoint({ description: "mine" }),
  edge: {
    "what is not named stays": async (cast) => {
      const params = { endpoint_id: await lasting(cast) };
      const before = (await cast.world.call(cast.owner, webhooks.getWebhookEndpoint, { params })).answer.data;
      expect((await cast.world.call(cast.owner, webhooks.updateWebhookEndpoint, { params, body: {} })).answer.data).toEqual(before);
    },
  },
};

export const deleteWebhookEndpoint: Case = {
  as: ({ admin }) => admin,
  good: async ({ world, owner }) => ({ params: { endpoint_id: await newEndpoint(world, owner) } }),
  happy: async ({ given, cast: { world, owner } }) =>
    expect((await world.call(owner, webhooks.getWebhookEndpoint, { params: given.params as { endpoint_id: number } })).status).toBe(404),
  bad: { "params.endpoint_id": BAD_ID_IN_PATH },
  foreign: foreignEndpoint(),
  edge: {},
};

export const rotateWebhookSecret: Case = {
  as: ({ admin }) => admin,
  good: async ({ world, owner }) => ({ params: { endpoint_id: await newEndpoint(world, owner) } }),
  happy: async ({ data, given, cast: { world, owner } }) => {
    expect(data).toEqual({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      previous_secret_until: new Date(world.clock.now() + DAY).toISOString(),
    });
    const params = given.params as { endpoint_id: number };
    const shown = (await world.call(owner, webhooks.getWebhookEndpoint, { params })).answer.data;
    expect(shown).toMatchObject({ secret_hint: data.secret.slice(-4), previous_secret_until: data.previous_secret_until });
  },
  bad: { "params.endpoint_id": BAD_ID_IN_PATH },
  foreign: foreignEndpoint(),
  edge: {},
};

export const testWebhookEndpoint: Case = {
  as: ({ admin }) => admin,
  good: async (cast) => ({ params: { endpoint_id: await lasting(cast) }, body: { event_type: "file.renamed" } }),
  happy: ({ data, cast: { world } }) => {
    expect(data).toMatchObject({
      event_type: "file.renamed",
      is_test: true,
      state: "pending",
      attempt_count: 0,
      attempts: [],
      last_attempt: null,
      next_attempt_at: new Date(world.clock.now()).toISOString(),
    });
    const body = JSON.parse(data.body);
    expect(body).toEqual({ object: "event", id: data.event_id, type: "file.renamed", data: WEBHOOK_EVENTS["file.renamed"].example });
  },
  bad: { "params.endpoint_id": BAD_ID_IN_PATH, "body.event_type": ["file.deleted", "", 5, null, {}] },
  foreign: foreignEndpoint({ event_type: "file.renamed" }),
  edge: {
    "without a body it is the endpoint's first event type": async (cast) => {
      const { data } = (await cast.world.call(cast.owner, webhooks.testWebhookEndpoint, { params: { endpoint_id: await lasting(cast) } })).answer;
      expect(data.event_type).toBe("task.closed");
    },
    "a repeated request sends no second one": async (cast) => {
      const given = { params: { endpoint_id: await lasting(cast) }, body: {} };
      const send = async () =>
        (await cast.world.call(cast.owner, webhooks.testWebhookEndpoint, given, { headers: { "idempotency-key": "one-test" } })).answer.data.id;
      expect(await send()).toBe(await send());
    },
  },
};
