import { expect } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as teams from "../../../contract/operations/teams.ts";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { HOUR } from "../../lib/clock.ts";
import { insertDelivery, registerEndpoint, recordAttempt } from "../webhooks.ts";
import { BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, BAD_TIMESTAMP, BAD_TIMESTAMP_IN_QUERY, type EndpointCase } from "./case.ts";
import { inaccessibleEndpoints, sharedEndpoint } from "./helpers.ts";

const inaccessibleDeliveries: EndpointCase["rejectedRequests"] = [
  [
    "a delivery of another organization",
    async ({ testApp, foreignOwner }) => ({ params: { delivery_id: await insertDelivery(testApp, await registerEndpoint(testApp, foreignOwner), "failed") } }),
    404,
  ],
  [
    "a delivery of a deleted endpoint",
    async (fixtures) => {
      const endpoint = await registerEndpoint(fixtures.testApp, fixtures.owner);
      const delivery_id = await insertDelivery(fixtures.testApp, endpoint, "failed");
      await fixtures.testApp.call(fixtures.owner, webhooks.deleteWebhookEndpoint, { params: { endpoint_id: endpoint } });
      return { params: { delivery_id } };
    },
    404,
  ],
  ["a delivery that does not exist", () => ({ params: { delivery_id: 999_999 } }), 404],
];

export const listDeliveries: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async (fixtures) => {
    const endpoint_id = await sharedEndpoint(fixtures);
    const createdAt = fixtures.testApp.clock.now();
    await insertDelivery(fixtures.testApp, endpoint_id, "failed", { createdAt });
    return {
      params: { endpoint_id },
      query: {
        event_type: "file.status_changed",
        state: "failed",
        from: new Date(createdAt).toISOString(),
        to: new Date(createdAt + 1).toISOString(),
        limit: 5,
      },
    };
  },
  assertResponse: ({ response, input }) => {
    expect(response.data[0]).toMatchObject({ endpoint_id: input.params?.["endpoint_id"], event_type: "file.status_changed", state: "failed", is_test: false });
    expect(response.next_cursor).toBeNull();
  },
  invalid: {
    "params.endpoint_id": BAD_ID_IN_PATH,
    "query.cursor": ["", "x", "x".repeat(201)],
    "query.limit": BAD_LIMIT_IN_QUERY,
    "query.event_type": ["file.deleted", "", "*"],
    "query.state": ["sent", "", "PENDING"],
    "query.from": BAD_TIMESTAMP_IN_QUERY,
    "query.to": BAD_TIMESTAMP_IN_QUERY,
  },
  rejectedRequests: inaccessibleEndpoints(),
  edgeCases: {
    "a cursor of another endpoint's list returns none of its deliveries": async (fixtures) => {
      const { testApp, owner } = fixtures;
      const [endpointId, otherEndpointId] = [await registerEndpoint(testApp, owner), await registerEndpoint(testApp, owner)];
      for (const endpoint of [endpointId, endpointId, otherEndpointId, otherEndpointId]) await insertDelivery(testApp, endpoint, "failed");
      const { next_cursor } = (await testApp.call(owner, webhooks.listDeliveries, { params: { endpoint_id: otherEndpointId }, query: { limit: "1" } }))
        .response;
      const reply = await testApp.call(owner, webhooks.listDeliveries, { params: { endpoint_id: endpointId }, query: { cursor: next_cursor ?? "" } });
      expect(reply.response.data).toEqual([]);
    },
  },
};

const failedDeliveryInput: EndpointCase["valid"] = async (fixtures) => ({
  params: { delivery_id: await insertDelivery(fixtures.testApp, await sharedEndpoint(fixtures), "failed") },
});

export const getDelivery: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async (fixtures) => {
    const input = await failedDeliveryInput(fixtures);
    await recordAttempt(fixtures.testApp, Number(input.params?.["delivery_id"]), { outcome: "http", status: 503, response_body: "busy" }, {});
    return input;
  },
  assertResponse: ({ data }) => {
    expect(data).toMatchObject({ state: "failed", subject: expect.stringContaining("mix.wav"), attempt_count: 1 });
    expect(data.body).toBe(`{"object":"event","id":"${data.event_id}","type":"file.status_changed","data":{"object":"file","id":1,"name":"mix.wav"}}`);
    const summary = { number: 1, outcome: "http", status: 503, duration_ms: 84, remark: null };
    expect(data.last_attempt).toMatchObject(summary);
    expect(data.attempts).toMatchObject([{ ...summary, request_headers: { "webhook-id": "x" }, response_body: "busy" }]);
  },
  invalid: { "params.delivery_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleDeliveries,
  edgeCases: {},
};

export const listAttempts: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async (fixtures) => {
    const input = await failedDeliveryInput(fixtures);
    for (const status of [500, 502]) await recordAttempt(fixtures.testApp, Number(input.params?.["delivery_id"]), { outcome: "http", status }, {});
    return input;
  },
  assertResponse: ({ response }) =>
    expect(response.data.map(({ number, status }: { number: number; status: number }) => [number, status])).toEqual([
      [2, 502],
      [1, 500],
    ]),
  invalid: { "params.delivery_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleDeliveries,
  edgeCases: {},
};

export const redeliver: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: failedDeliveryInput,
  assertResponse: ({ data, input, fixtures: { testApp } }) =>
    expect(data).toMatchObject({
      id: input.params?.["delivery_id"],
      state: "pending",
      next_attempt_at: new Date(testApp.clock.now()).toISOString(),
      done_at: null,
    }),
  invalid: { "params.delivery_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ...inaccessibleDeliveries,
    [
      "a delivery during an automatic attempt",
      async ({ testApp, owner }) => {
        const delivery_id = await insertDelivery(testApp, await registerEndpoint(testApp, owner), "pending");
        const lease = { lease_until: testApp.clock.now() + HOUR, lease_token: "x" };
        await testApp.database.write((tx) => tx.updateTable("deliveries").set(lease).where("id", "=", delivery_id).execute());
        return { params: { delivery_id } };
      },
      409,
    ],
    [
      "a delivery of a paused endpoint",
      async ({ testApp, owner }) => ({
        params: { delivery_id: await insertDelivery(testApp, await registerEndpoint(testApp, owner, { enabled: false }), "held") },
      }),
      409,
    ],
  ],
  edgeCases: {},
};

export const recoverDeliveries: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async ({ testApp, owner }) => {
    const endpoint_id = await registerEndpoint(testApp, owner);
    for (const state of ["failed", "held", "delivered"] as const) await insertDelivery(testApp, endpoint_id, state);
    return { params: { endpoint_id }, body: { since: new Date(testApp.clock.now() - HOUR).toISOString() } };
  },
  assertResponse: ({ response }) => expect(response).toEqual({ object: "recovery", data: { count: 2 } }),
  invalid: { "params.endpoint_id": BAD_ID_IN_PATH, "body.since": [...BAD_TIMESTAMP, "2025-01-01T00:00:00Z"] },
  rejectedRequests: [
    ...inaccessibleEndpoints({ since: "2099-03-02T09:00:00Z" }),
    [
      "a paused endpoint",
      async ({ testApp, owner }) => ({
        params: { endpoint_id: await registerEndpoint(testApp, owner, { enabled: false }) },
        body: { since: new Date(testApp.clock.now()).toISOString() },
      }),
      409,
    ],
  ],
  edgeCases: {
    "a status change creates an event and a delivery to each subscribed endpoint": async ({ testApp, owner, home }) => {
      const endpoint_id = await registerEndpoint(testApp, owner, { event_types: ["file.status_changed"] });
      const [status] = (await testApp.call(owner, teams.listFileStatuses, { body: { team_id: home.team } })).response.data;
      await testApp.call(owner, files.setFileStatus, { body: { file_id: home.file, status_id: status?.id ?? 0 } });
      const { data } = (await testApp.call(owner, webhooks.listDeliveries, { params: { endpoint_id }, query: {} })).response;
      expect(data).toMatchObject([{ event_type: "file.status_changed", state: "pending", subject: `mix.wav → ${status?.title}`, attempt_count: 0 }]);
    },
  },
};
