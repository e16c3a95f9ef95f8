import { expect } from "vitest";
import { AGENT_EVENT_TYPES } from "../../../contract/agent-subscription-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import * as operations from "../../../contract/operations/agent-subscriptions.ts";
import { insertAgentDelivery, insertSubscription } from "../agent-subscriptions.ts";
import { createAgentToken } from "../agents.ts";
import type { UntypedInput } from "../client.ts";
import type { Fixtures } from "../fixtures.ts";
import { WEBHOOK_URL } from "../webhooks.ts";
import { agentOf, BAD_PAGE_IN_QUERY, foreignAgent, inaccessibleAgents } from "./agent-task-helpers.ts";
import { BAD_BOOLEAN, BAD_ID, BAD_ID_IN_PATH, badText, type EndpointCase, withoutNull } from "./case.ts";

const BAD_URL = [...badText(2_048), "", "http://agent.example.com", "https://127.0.0.1/", "https://a:b@agent.example.com/", " https://agent.example.com/"];
const BAD_TYPES = [null, "message.created", [], [null], [5], ["file.renamed"], ["task.created", "task.created"], ["sessions.changed"], ["x".repeat(101)]];
const BAD_PROJECTS = [
  "1",
  {},
  [],
  ...withoutNull(BAD_ID).map((id) => [id]),
  [999_999],
  Array.from({ length: LIMITS.agent_subscription_projects + 1 }, (_, index) => index + 1),
];
const BAD_PARAMS = { "params.agent_id": BAD_ID_IN_PATH, "params.subscription_id": BAD_ID_IN_PATH };

/** Inserts a subscription after ending those of earlier cases, because of the limit per agent. */
async function subscriptionOf({ testApp, owner }: Fixtures, agent: number, createdBy = owner.id): Promise<number> {
  const now = testApp.clock.now();
  return testApp.database.write(async (tx) => {
    await tx.updateTable("webhook_endpoints").set({ deleted_at: now }).where("agent_id", "=", agent).where("deleted_at", "is", null).execute();
    return insertSubscription(tx, { agent, createdBy, now });
  });
}
async function withSubscription(fixtures: Fixtures) {
  const agent_id = await agentOf(fixtures);
  return { params: { agent_id, subscription_id: await subscriptionOf(fixtures, agent_id) } };
}
async function withDelivery(fixtures: Fixtures) {
  const { params } = await withSubscription(fixtures);
  const { testApp, home } = fixtures;
  const delivery_id = await testApp.database.write((tx) => insertAgentDelivery(tx, params.subscription_id, home.project, testApp.clock.now()));
  return { params: { ...params, delivery_id } };
}
async function ofForeignAgent(fixtures: Fixtures) {
  const agent_id = await foreignAgent(fixtures);
  return { agent_id, subscription_id: await subscriptionOf(fixtures, agent_id, fixtures.foreignOwner.id) };
}
const inaccessible = (input: UntypedInput = {}): EndpointCase["rejectedRequests"] => [
  ["a subscription of another organization", async (fixtures) => ({ ...input, params: await ofForeignAgent(fixtures) }), 404],
  [
    "a subscription of another agent",
    async (fixtures) => ({ ...input, params: { ...(await ofForeignAgent(fixtures)), agent_id: await agentOf(fixtures) } }),
    404,
  ],
  ["a subscription that does not exist", async (fixtures) => ({ ...input, params: { agent_id: await agentOf(fixtures), subscription_id: 999_999 } }), 404],
];
const inaccessibleDeliveries: EndpointCase["rejectedRequests"] = [
  [
    "a delivery of another subscription",
    async (fixtures) => {
      const { params } = await withDelivery(fixtures);
      return { params: { ...params, subscription_id: await subscriptionOf(fixtures, params.agent_id) } };
    },
    404,
  ],
  ["a delivery that does not exist", async (fixtures) => ({ params: { ...(await withSubscription(fixtures)).params, delivery_id: 999_999 } }), 404],
];

const SUBSCRIPTION = { object: "event_subscription", event_types: ["message.created"], project_ids: null, url: WEBHOOK_URL, enabled: true };

export const listEventSubscriptions: EndpointCase = {
  caller: ({ admin }) => admin,
  async valid(fixtures) {
    const { params } = await withSubscription(fixtures);
    return { params: { agent_id: params.agent_id } };
  },
  assertResponse: ({ response, input }) => expect(response.data).toMatchObject([{ ...SUBSCRIPTION, ...input.params }]),
  invalid: { "params.agent_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleAgents(() => ({})),
  edgeCases: {},
};

export const createEventSubscription: EndpointCase = {
  caller: ({ admin }) => admin,
  async valid(fixtures) {
    const { params } = await withSubscription(fixtures);
    const body = { event_types: ["message.created", "file.updated"], project_ids: [fixtures.home.project], url: WEBHOOK_URL };
    return { params: { agent_id: params.agent_id }, body };
  },
  assertResponse: async ({ data, input, caller, fixtures: { testApp, admin } }) => {
    expect(data).toMatchObject({
      ...SUBSCRIPTION,
      ...(input.body as object),
      ...input.params,
      disabled_reason: null,
      created_by_account_id: admin.id,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret, ...rest } = data;
    const params = { agent_id: data.agent_id, subscription_id: data.id };
    expect((await testApp.call(caller, operations.getEventSubscription, { params })).response.data).toEqual(rest);
    expect(secret.endsWith(rest.secret_hint)).toBe(true);
  },
  invalid: { "params.agent_id": BAD_ID_IN_PATH, "body.url": BAD_URL, "body.event_types": BAD_TYPES, "body.project_ids": BAD_PROJECTS },
  rejectedRequests: [
    ...inaccessibleAgents(() => ({ body: { event_types: ["message.created"], url: WEBHOOK_URL } })),
    [
      "a project that the agent is not in",
      async (fixtures) => ({
        params: { agent_id: await agentOf(fixtures) },
        body: { event_types: ["message.created"], url: WEBHOOK_URL, project_ids: [fixtures.next.project] },
      }),
      400,
    ],
  ],
  edgeCases: {
    "accepts every event type that the contract lists": async (fixtures) => {
      const { params } = await withSubscription(fixtures);
      const body = { event_types: [...AGENT_EVENT_TYPES], url: WEBHOOK_URL };
      expect((await fixtures.testApp.call(fixtures.owner, operations.createEventSubscription, { params: { agent_id: params.agent_id }, body })).status).toBe(
        200,
      );
    },
    "an agent creates its own by a token, whose scopes must allow the types": async (fixtures) => {
      const { testApp } = fixtures;
      const { params } = await withSubscription(fixtures);
      await testApp.database.write((tx) =>
        tx
          .updateTable("agents")
          .set({ scopes: JSON.stringify(["account:read", "account:write", "chat:read", "files:read"]) })
          .where("account_id", "=", params.agent_id)
          .execute(),
      );
      const token = await createAgentToken(testApp, params.agent_id, ["account:read", "account:write", "files:read"]);
      const create = (event_types: string[]) =>
        testApp.call(token, operations.createEventSubscription, { params: { agent_id: params.agent_id }, body: { event_types, url: WEBHOOK_URL } });
      expect((await create(["file.updated"])).status).toBe(200);
      expect((await create(["message.created"])).status).toBe(403);
    },
    "a repeated request returns the first result without the secret": async (fixtures) => {
      const { testApp, owner } = fixtures;
      const { params } = await withSubscription(fixtures);
      const headers = { "idempotency-key": "one-subscription" };
      const input = { params: { agent_id: params.agent_id }, body: { event_types: ["message.created"], url: WEBHOOK_URL } };
      const { secret, ...rest } = (await testApp.call(owner, operations.createEventSubscription, input, { headers })).response.data;
      expect(secret).toMatch(/^whsec_/);
      expect((await testApp.call(owner, operations.createEventSubscription, input, { headers })).response.data).toEqual(rest);
    },
  },
};

export const getEventSubscription: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: withSubscription,
  assertResponse: ({ data, input }) =>
    expect(data).toMatchObject({ ...SUBSCRIPTION, agent_id: input.params?.["agent_id"], id: input.params?.["subscription_id"] }),
  invalid: BAD_PARAMS,
  rejectedRequests: inaccessible(),
  edgeCases: {},
};

export const updateEventSubscription: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async (fixtures) => ({
    ...(await withSubscription(fixtures)),
    body: { event_types: ["task.created"], project_ids: [fixtures.home.project], url: `${WEBHOOK_URL}/new`, enabled: false },
  }),
  assertResponse: ({ data, input, fixtures: { owner } }) =>
    expect(data).toMatchObject({ ...(input.body as object), disabled_reason: "paused", created_by_account_id: owner.id }),
  invalid: { ...BAD_PARAMS, "body.url": BAD_URL, "body.event_types": BAD_TYPES, "body.project_ids": BAD_PROJECTS, "body.enabled": BAD_BOOLEAN },
  rejectedRequests: inaccessible({ body: { enabled: false } }),
  edgeCases: {
    "a request without changes changes nothing": async (fixtures) => {
      const { params } = await withSubscription(fixtures);
      expect((await fixtures.testApp.call(fixtures.owner, operations.updateEventSubscription, { params, body: {} })).response.data).toMatchObject(SUBSCRIPTION);
    },
  },
};

export const deleteEventSubscription: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: withSubscription,
  assertResponse: async ({ input, fixtures: { testApp, owner } }) =>
    expect((await testApp.callUntyped(owner, operations.getEventSubscription, input)).status).toBe(404),
  invalid: BAD_PARAMS,
  rejectedRequests: inaccessible(),
  edgeCases: {},
};

export const rotateSubscriptionSecret: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: withSubscription,
  assertResponse: ({ data }) => expect(data).toMatchObject({ secret: expect.stringMatching(/^whsec_/), previous_secret_until: expect.any(String) }),
  invalid: BAD_PARAMS,
  rejectedRequests: inaccessible(),
  edgeCases: {
    "a repeated request returns no secret and rotates once, and too many are refused": async (fixtures) => {
      const { testApp, owner } = fixtures;
      const input = await withSubscription(fixtures);
      const rotate = (key: string) => testApp.call(owner, operations.rotateSubscriptionSecret, input, { headers: { "idempotency-key": key } });
      const first = (await rotate("turn-1")).response.data;
      const second = (await rotate("turn-1")).response.data;
      expect(second).toEqual({ previous_secret_until: first.previous_secret_until });
      for (const turn of [2, 3, 4, 5]) expect((await rotate(`turn-${turn}`)).status).toBe(200);
      expect((await rotate("turn-6")).status).toBe(409);
    },
  },
};

export const listSubscriptionDeliveries: EndpointCase = {
  caller: ({ admin }) => admin,
  async valid(fixtures) {
    const { params } = await withDelivery(fixtures);
    const { agent_id, subscription_id } = params;
    return { params: { agent_id, subscription_id }, query: { limit: "1", state: "failed" } };
  },
  assertResponse: ({ response, input, fixtures: { home } }) =>
    expect(response.data).toMatchObject([
      { event_type: "message.created", state: "failed", subscription_id: input.params?.["subscription_id"], project_id: home.project },
    ]),
  invalid: { ...BAD_PARAMS, "query.state": ["", "lost"], ...BAD_PAGE_IN_QUERY },
  rejectedRequests: inaccessible(),
  edgeCases: {},
};

export const getSubscriptionDelivery: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: withDelivery,
  assertResponse: ({ data, input }) => {
    expect(data).toMatchObject({ id: input.params?.["delivery_id"], event_type: "message.created", attempts: [] });
    expect(JSON.parse(data.body)).toMatchObject({
      object: "event",
      id: data.event_id,
      type: "agent.event",
      data: { type: "message.created", data: { body: "Hello" } },
    });
  },
  invalid: { ...BAD_PARAMS, "params.delivery_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleDeliveries,
  edgeCases: {},
};

export const redeliverSubscriptionDelivery: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: withDelivery,
  assertResponse: ({ data }) => expect(data).toMatchObject({ state: "pending", next_attempt_at: expect.any(String), done_at: null }),
  invalid: { ...BAD_PARAMS, "params.delivery_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleDeliveries,
  edgeCases: {
    "an event of a project that the agent is not in is refused, and one that is due by hand stays so": async (fixtures) => {
      const { testApp, owner, next } = fixtures;
      const { params } = await withSubscription(fixtures);
      const delivery_id = await testApp.database.write((tx) => insertAgentDelivery(tx, params.subscription_id, next.project, testApp.clock.now()));
      const redeliver = (delivery: number) => testApp.call(owner, operations.redeliverSubscriptionDelivery, { params: { ...params, delivery_id: delivery } });
      expect((await redeliver(delivery_id)).status).toBe(409);
      const waiting = await withDelivery(fixtures);
      const again = () => testApp.call(owner, operations.redeliverSubscriptionDelivery, waiting);
      const first = (await again()).response.data;
      expect((await again()).response.data).toEqual(first);
    },
  },
};
