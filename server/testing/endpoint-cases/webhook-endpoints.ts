import { expect } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { WEBHOOK_EVENTS } from "../../../contract/webhook-events.ts";
import { DAY } from "../../lib/clock.ts";
import { WEBHOOK_URL, registerEndpoint } from "../webhooks.ts";
import { BAD_BOOLEAN, BAD_ID_IN_PATH, badText, type EndpointCase } from "./case.ts";
import { inaccessibleEndpoints, sharedEndpoint } from "./helpers.ts";

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
const BAD_EVENT_TYPES = [
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
const BAD_PROJECTS = [
  5,
  "all",
  {},
  // It would widen the endpoint to every project.
  [],
  [null],
  ["1"],
  [0],
  [1.5],
  [999_999],
  Array.from({ length: LIMITS.webhook_endpoint_projects + 1 }, (_, index) => index + 1),
];

export const createWebhookEndpoint: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: ({ home }) => ({
    body: { url: WEBHOOK_URL, event_types: ["file.status_changed", "file.renamed"], description: "The distributor's", project_ids: [home.project] },
  }),
  assertResponse: async ({ response, data, input, fixtures: { testApp, owner } }) => {
    expect(response.object).toBe("webhook_endpoint");
    expect(data).toMatchObject({
      id: expect.any(Number),
      ...(input.body as object),
      enabled: true,
      created_at: new Date(testApp.clock.now()).toISOString(),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const listed = (await testApp.call(owner, webhooks.listWebhookEndpoints)).response.data.find(({ id }) => id === data.id);
    const { secret, ...rest } = data;
    expect(listed).toEqual(rest);
    expect(secret.endsWith(rest.secret_hint)).toBe(true);
    expect(rest.secret_hint).toHaveLength(4);
  },
  invalid: {
    "body.url": BAD_URL,
    "body.event_types": BAD_EVENT_TYPES,
    "body.description": badText(500),
    "body.enabled": BAD_BOOLEAN,
    "body.project_ids": BAD_PROJECTS,
  },
  rejectedRequests: [],
  edgeCases: {
    "rejects members and guests before it validates the body": async ({ testApp, member, guest }) => {
      for (const caller of [member, guest])
        expect((await testApp.call(caller, webhooks.createWebhookEndpoint, { body: { url: "x", event_types: [] } })).status).toBe(403);
    },
    "reports the invalid member and the reason": async (fixtures) => {
      const { testApp, owner } = fixtures;
      const problem = async (body: object) =>
        (await testApp.callUntyped(owner, webhooks.createWebhookEndpoint, { body: { url: WEBHOOK_URL, event_types: ["file.renamed"], ...body } })).problem
          .errors?.[0];
      expect(await problem({ url: "http://x.example" })).toEqual({ path: "url", message: "must start with https://" });
      expect(await problem({ url: "https://192.168.0.4" })).toEqual({ path: "url", message: "must be a public address" });
      expect(await problem({ url: "https://a:b@x.example" })).toEqual({ path: "url", message: "must not contain a username or password" });
      const { next, foreign } = fixtures;
      expect(await problem({ project_ids: [next.project, next.project] })).toEqual({ path: "project_ids", message: "must not contain a project twice" });
      expect(await problem({ project_ids: [foreign.project] })).toEqual({ path: "project_ids", message: "must be projects of the organization" });
      expect(await problem({ event_types: ["file.gone"] })).toEqual({
        path: "event_types",
        message: expect.stringContaining('"file.gone" is not an event type'),
      });
      expect(await problem({ event_types: ["file.renamed", "file.renamed"] })).toEqual({ path: "event_types", message: "must not contain file.renamed twice" });
      expect(await problem({ event_types: [] })).toEqual({ path: "event_types", message: expect.stringContaining("at least one event type") });
    },
    "a repeated request returns the first result without the secret": async ({ testApp, owner }) => {
      const body = { url: `${WEBHOOK_URL}/once`, event_types: ["file.uploaded"] };
      const headers = { "idempotency-key": "one-endpoint" };
      const first = (await testApp.call(owner, webhooks.createWebhookEndpoint, { body }, { headers })).response.data;
      const { secret, ...rest } = first;
      expect(secret).toMatch(/^whsec_/);
      expect((await testApp.call(owner, webhooks.createWebhookEndpoint, { body }, { headers })).response.data).toEqual(rest);
      const other = { ...body, url: `${WEBHOOK_URL}/twice` };
      expect((await testApp.call(owner, webhooks.createWebhookEndpoint, { body: other }, { headers })).status).toBe(409);
      const stored = await testApp.database.read.selectFrom("idempotency").select("result").where("key", "=", "one-endpoint").executeTakeFirstOrThrow();
      expect(stored.result).not.toContain("whsec_");
      expect(stored.result).not.toContain('"secret":"v1');
    },
    "stores the secret nowhere in plain text": async ({ testApp, owner }) => {
      const { data } = (await testApp.call(owner, webhooks.createWebhookEndpoint, { body: { url: WEBHOOK_URL, event_types: ["file.renamed"] } })).response;
      const row = await testApp.database.read.selectFrom("webhook_endpoints").selectAll().where("id", "=", data.id).executeTakeFirstOrThrow();
      const rawSecret = (data.secret ?? "").slice("whsec_".length);
      expect(JSON.stringify(row)).not.toContain(rawSecret);
      expect(JSON.stringify(row)).not.toContain(Buffer.from(rawSecret, "base64").toString("hex"));
      const events = await testApp.database.read.selectFrom("events").select("data").where("type", "=", "webhook_endpoint.updated").execute();
      expect(JSON.stringify(events)).not.toContain(rawSecret);
    },
  },
};

export const checkWebhookUrl: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: () => ({ body: { url: WEBHOOK_URL } }),
  assertResponse: ({ response }) => expect(response).toEqual({ object: "url_check", data: { url: WEBHOOK_URL, problem: null } }),
  invalid: { "body.url": [...badText(2_048), ""] },
  rejectedRequests: [],
  edgeCases: {
    "finds exactly what creating an endpoint finds": async ({ testApp, owner }) => {
      const urls = BAD_URL.filter((url): url is string => typeof url === "string" && url !== "" && url.length <= 2_048);
      expect(urls.length).toBeGreaterThan(12);
      for (const url of [...urls, "https://unresolvable.example/hook"]) {
        const created = await testApp.callUntyped(owner, webhooks.createWebhookEndpoint, { body: { url, event_types: ["file.renamed"] } });
        const checked = await testApp.callUntyped(owner, webhooks.checkWebhookUrl, { body: { url } });
        const found = checked.status === 200 ? (checked.response as { data: { problem: string | null } }).data.problem : checked.problem.errors?.[0]?.message;
        expect(found, url).toBe(created.status === 200 ? null : created.problem.errors?.[0]?.message);
      }
    },
  },
};

export const listWebhookEndpoints: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async (fixtures) => {
    await sharedEndpoint(fixtures);
    await registerEndpoint(fixtures.testApp, fixtures.foreignOwner);
    return {};
  },
  assertResponse: async ({ data, fixtures }) => {
    const ids: number[] = data.map(({ id }: { id: number }) => id);
    expect(ids).toContain(await sharedEndpoint(fixtures));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    const expected = await fixtures.testApp.database.read
      .selectFrom("webhook_endpoints")
      .select("id")
      .where("organisation_id", "=", 1)
      .where("agent_id", "is", null)
      .where("deleted_at", "is", null)
      .execute();
    expect(new Set(ids)).toEqual(new Set(expected.map(({ id }) => id)));
    expect(data.every((endpoint: object) => !("secret" in endpoint) && !("previous_secrets" in endpoint))).toBe(true);
  },
  invalid: {},
  rejectedRequests: [],
  edgeCases: {},
};

export const getWebhookEndpoint: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async (fixtures) => ({ params: { endpoint_id: await sharedEndpoint(fixtures) } }),
  assertResponse: ({ data }) => {
    expect(data).toMatchObject({
      url: WEBHOOK_URL,
      event_types: ["task.closed"],
      failing_since: null,
      disabled_reason: null,
      held_count: 0,
      last_delivered_at: null,
      project_ids: null,
    });
    expect(data.recent).toHaveLength(24);
    expect("secret" in data).toBe(false);
  },
  invalid: { "params.endpoint_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleEndpoints(),
  edgeCases: {},
};

export const updateWebhookEndpoint: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async ({ testApp, owner, next }) => ({
    params: { endpoint_id: await registerEndpoint(testApp, owner) },
    body: { url: `${WEBHOOK_URL}/2`, event_types: ["file.renamed"], description: "", enabled: false, project_ids: [next.project] },
  }),
  assertResponse: ({ data, input, fixtures: { testApp, admin } }) =>
    expect(data).toMatchObject({
      ...(input.body as object),
      disabled_reason: "paused",
      disabled_at: new Date(testApp.clock.now()).toISOString(),
      disabled_by_account_id: admin.id,
    }),
  invalid: {
    "params.endpoint_id": BAD_ID_IN_PATH,
    "body.url": BAD_URL,
    "body.event_types": BAD_EVENT_TYPES,
    "body.description": badText(500),
    "body.enabled": BAD_BOOLEAN,
    "body.project_ids": BAD_PROJECTS,
  },
  rejectedRequests: inaccessibleEndpoints({ description: "mine" }),
  edgeCases: {
    "null stands for every project, and an empty list leaves the endpoint as it is": async ({ testApp, owner, home }) => {
      const params = { endpoint_id: await registerEndpoint(testApp, owner, { project_ids: [home.project] }) };
      const update = (project_ids: number[] | null) => testApp.callUntyped(owner, webhooks.updateWebhookEndpoint, { params, body: { project_ids } });
      const current = async () => (await testApp.call(owner, webhooks.getWebhookEndpoint, { params })).response.data.project_ids;
      expect((await update([])).problem.errors).toEqual([expect.objectContaining({ path: "project_ids" })]);
      expect(await current()).toEqual([home.project]);
      expect((await update(null)).status).toBe(200);
      expect(await current()).toBeNull();
    },
    "keeps omitted members": async (fixtures) => {
      const params = { endpoint_id: await sharedEndpoint(fixtures) };
      const before = (await fixtures.testApp.call(fixtures.owner, webhooks.getWebhookEndpoint, { params })).response.data;
      expect((await fixtures.testApp.call(fixtures.owner, webhooks.updateWebhookEndpoint, { params, body: {} })).response.data).toEqual(before);
    },
  },
};

export const deleteWebhookEndpoint: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async ({ testApp, owner }) => ({ params: { endpoint_id: await registerEndpoint(testApp, owner) } }),
  assertResponse: async ({ input, fixtures: { testApp, owner } }) =>
    expect((await testApp.call(owner, webhooks.getWebhookEndpoint, { params: input.params as { endpoint_id: number } })).status).toBe(404),
  invalid: { "params.endpoint_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleEndpoints(),
  edgeCases: {},
};

export const rotateWebhookSecret: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async ({ testApp, owner }) => ({ params: { endpoint_id: await registerEndpoint(testApp, owner) } }),
  assertResponse: async ({ data, input, fixtures: { testApp, owner } }) => {
    expect(data).toEqual({
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      previous_secret_until: new Date(testApp.clock.now() + DAY).toISOString(),
    });
    const params = input.params as { endpoint_id: number };
    const endpoint = (await testApp.call(owner, webhooks.getWebhookEndpoint, { params })).response.data;
    expect(endpoint).toMatchObject({ secret_hint: data.secret.slice(-4), previous_secret_until: data.previous_secret_until });
  },
  invalid: { "params.endpoint_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleEndpoints(),
  edgeCases: {},
};

export const testWebhookEndpoint: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async (fixtures) => ({ params: { endpoint_id: await sharedEndpoint(fixtures) }, body: { event_type: "file.renamed" } }),
  assertResponse: ({ data, fixtures: { testApp } }) => {
    expect(data).toMatchObject({
      event_type: "file.renamed",
      is_test: true,
      state: "pending",
      attempt_count: 0,
      attempts: [],
      last_attempt: null,
      next_attempt_at: new Date(testApp.clock.now()).toISOString(),
    });
    const body = JSON.parse(data.body);
    expect(body).toEqual({ object: "event", id: data.event_id, type: "file.renamed", data: WEBHOOK_EVENTS["file.renamed"].example });
  },
  invalid: { "params.endpoint_id": BAD_ID_IN_PATH, "body.event_type": ["file.deleted", "", 5, null, {}] },
  rejectedRequests: inaccessibleEndpoints({ event_type: "file.renamed" }),
  edgeCases: {
    "sends the endpoint's first event type without a body": async (fixtures) => {
      const { data } = (await fixtures.testApp.call(fixtures.owner, webhooks.testWebhookEndpoint, { params: { endpoint_id: await sharedEndpoint(fixtures) } }))
        .response;
      expect(data.event_type).toBe("task.closed");
    },
    "a repeated request sends no second event": async (fixtures) => {
      const input = { params: { endpoint_id: await sharedEndpoint(fixtures) }, body: {} };
      const send = async () =>
        (await fixtures.testApp.call(fixtures.owner, webhooks.testWebhookEndpoint, input, { headers: { "idempotency-key": "one-test" } })).response.data.id;
      expect(await send()).toBe(await send());
    },
  },
};
