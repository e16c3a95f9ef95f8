import { expect } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as teams from "../../../contract/operations/teams.ts";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import { HOUR } from "../../lib/clock.ts";
import { newDelivery, newEndpoint, tryDelivery } from "../webhooks.ts";
import { BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, type Case } from "./case.ts";
import { foreignEndpoint, lasting } from "./webhook-endpoints.ts";

const BAD_MOMENT = [5, null, "", "yesterday", "2026-03-02", "2026-03-02T09:00:00"];
const BAD_MOMENT_IN_QUERY = ["", "yesterday", "2026-03-02", "2026-03-02T09:00:00"];

const foreignDelivery: Case["foreign"] = [
  [
    "a delivery of another organisation",
    async ({ world, foreignOwner }) => ({ params: { delivery_id: await newDelivery(world, await newEndpoint(world, foreignOwner), "failed") } }),
    404,
  ],
  [
    "a delivery of a deleted endpoint",
    async (cast) => {
      const endpoint = await newEndpoint(cast.world, cast.owner);
      const delivery_id = await newDelivery(cast.world, endpoint, "failed");
      await cast.world.call(cast.owner, webhooks.deleteWebhookEndpoint, { params: { endpoint_id: endpoint } });
      return { params: { delivery_id } };
    },
    404,
  ],
  ["a delivery that does not exist", () => ({ params: { delivery_id: 999_999 } }), 404],
];

export const listDeliveries: Case = {
  as: ({ admin }) => admin,
  good: async (cast) => {
    const endpoint_id = await lasting(cast);
    const at = cast.world.clock.now();
    await newDelivery(cast.world, endpoint_id, "failed", { at });
    return {
      params: { endpoint_id },
      query: { event_type: "file.status_changed", state: "failed", from: new Date(at).toISOString(), to: new Date(at + 1).toISOString(), limit: 5 },
    };
  },
  happy: ({ answer, given }) => {
    expect(answer.data[0]).toMatchObject({ endpoint_id: given.params?.["endpoint_id"], event_type: "file.status_changed", state: "failed", is_test: false });
    expect(answer.next_cursor).toBeNull();
  },
  bad: {
    "params.endpoint_id": BAD_ID_IN_PATH,
    "query.cursor": ["", "x", "x".repeat(201)],
    "query.limit": BAD_LIMIT_IN_QUERY,
    "query.event_type": ["file.deleted", "", "*"],
    "query.state": ["sent", "", "PENDING"],
    "query.from": BAD_MOMENT_IN_QUERY,
    "query.to": BAD_MOMENT_IN_QUERY,
  },
  foreign: foreignEndpoint(),
  edge: {
    "a cursor of another endpoint's list shows nothing of it": async (cast) => {
      const { world, owner } = cast;
      const [mine, other] = [await newEndpoint(world, owner), await newEndpoint(world, owner)];
      for (const endpoint of [mine, mine, other, other]) await newDelivery(world, endpoint, "failed");
      const { next_cursor } = (await world.call(owner, webhooks.listDeliveries, { params: { endpoint_id: other }, query: { limit: "1" } })).answer;
      const reply = await world.call(owner, webhooks.listDeliveries, { params: { endpoint_id: mine }, query: { cursor: next_cursor ?? "" } });
      expect(reply.answer.data).toEqual([]);
    },
  },
};

const oneFailed: Case["good"] = async (cast) => ({ params: { delivery_id: await newDelivery(cast.world, await lasting(cast), "failed") } });

export const getDelivery: Case = {
  as: ({ admin }) => admin,
  good: async (cast) => {
    const given = await oneFailed(cast);
    await tryDelivery(cast.world, Number(given.params?.["delivery_id"]), { outcome: "http", status: 503, response_body: "busy" }, {});
    return given;
  },
  happy: ({ data }) => {
    expect(data).toMatchObject({ state: "failed", subject: expect.stringContaining("mix.wav"), attempt_count: 1 });
    expect(data.body).toBe(`{"object":"event","id":"${data.event_id}","type":"file.status_changed","data":{"object":"file","id":1,"name":"mix.wav"}}`);
    const summary = { number: 1, outcome: "http", status: 503, duration_ms: 84, remark: null };
    expect(data.last_attempt).toMatchObject(summary);
    expect(data.attempts).toMatchObject([{ ...summary, request_headers: { "webhook-id": "x" }, response_body: "busy" }]);
  },
  bad: { "params.delivery_id": BAD_ID_IN_PATH },
  foreign: foreignDelivery,
  edge: {},
};

export const listAttempts: Case = {
  as: ({ admin }) => admin,
  good: async (cast) => {
    const given = await oneFailed(cast);
    for (const status of [500, 502]) await tryDelivery(cast.world, Number(given.params?.["delivery_id"]), { outcome: "http", status }, {});
    return given;
  },
  happy: ({ answer }) =>
    expect(answer.data.map(({ number, status }: { number: number; status: number }) => [number, status])).toEqual([
      [2, 502],
      [1, 500],
    ]),
  bad: { "params.delivery_id": BAD_ID_IN_PATH },
  foreign: foreignDelivery,
  edge: {},
};

export const redeliver: Case = {
  as: ({ admin }) => admin,
  good: oneFailed,
  happy: ({ data, given, cast: { world } }) =>
    expect(data).toMatchObject({
      id: given.params?.["delivery_id"],
      state: "pending",
      next_attempt_at: new Date(world.clock.now()).toISOString(),
      done_at: null,
    }),
  bad: { "params.delivery_id": BAD_ID_IN_PATH },
  foreign: [
    ...foreignDelivery,
    ["one of which a try is still to come", async (cast) => ({ params: { delivery_id: await newDelivery(cast.world, await lasting(cast), "pending") } }), 409],
    [
      "one of a paused endpoint",
      async ({ world, owner }) => ({ params: { delivery_id: await newDelivery(world, await newEndpoint(world, owner, { enabled: false }), "held") } }),
      409,
    ],
  ],
  edge: {},
};

export const recoverDeliveries: Case = {
  as: ({ admin }) => admin,
  good: async ({ world, owner }) => {
    const endpoint_id = await newEndpoint(world, owner);
    for (const state of ["failed", "held", "delivered"] as const) await newDelivery(world, endpoint_id, state);
    return { params: { endpoint_id }, body: { since: new Date(world.clock.now() - HOUR).toISOString() } };
  },
  happy: ({ answer }) => expect(answer).toEqual({ object: "recovery", data: { count: 2 } }),
  bad: { "params.endpoint_id": BAD_ID_IN_PATH, "body.since": [...BAD_MOMENT, "2025-01-01T00:00:00Z"] },
  foreign: [
    ...foreignEndpoint({ since: "2099-03-02T09:00:00Z" }),
    [
      "a paused endpoint",
      async ({ world, owner }) => ({
        params: { endpoint_id: await newEndpoint(world, owner, { enabled: false }) },
        body: { since: new Date(world.clock.now()).toISOString() },
      }),
      409,
    ],
  ],
  edge: {
    "a status that is set is an event, and a delivery to whoever asked for it": async ({ world, owner, home }) => {
      const endpoint_id = await newEndpoint(world, owner, { event_types: ["file.status_changed"] });
      const [status] = (await world.call(owner, teams.listFileStatuses, { body: { team_id: home.team } })).answer.data;
      await world.call(owner, files.setFileStatus, { body: { file_id: home.file, status_id: status?.id ?? 0 } });
      const { data } = (await world.call(owner, webhooks.listDeliveries, { params: { endpoint_id }, query: {} })).answer;
      expect(data).toMatchObject([{ event_type: "file.status_changed", state: "pending", subject: `mix.wav → ${status?.title}`, attempt_count: 0 }]);
    },
  },
};
