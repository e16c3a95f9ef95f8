import { expect } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as operations from "../../../contract/operations/agents.ts";
import * as chat from "../../../contract/operations/chat.ts";
import { DAY } from "../../lib/clock.ts";
import { createAgentToken as createToken, createFreshAgent } from "../agents.ts";
import type { Fixtures } from "../fixtures.ts";
import { bearerCaller } from "../test-app.ts";
import { BAD_PAGE_IN_QUERY, foreignAgent } from "./agent-task-helpers.ts";
import { BAD_BOOLEAN, BAD_ID, BAD_ID_IN_PATH, badText, type EndpointCase } from "./case.ts";

const SCOPES = ["account:read", "chat:read", "chat:write"] as const;
const BAD_SCOPES = [5, null, [], ["everything"], ["admin"], ["webhooks"], "chat:read", [null]];
const BAD_NAME = [5, null, {}, "", " ", "x".repeat(81), "a@b.test", "zero\u200bwidth", "two\nlines"];
const BAD_AGENT_ROLE = ["owner", "admin", "boss", "", null, 1];
let counter = 0;
const newName = () => `Loudness bot ${++counter} ${Date.now()}`;

/** An agent of `home` with these scopes; the one of the case before is deleted, because of the limit. */
const freshAgent = ({ testApp, owner, home }: Fixtures, scopes: readonly (typeof SCOPES)[number][] = SCOPES): Promise<number> =>
  createFreshAgent(testApp, { createdBy: owner, projects: [home.project], scopes });
const withAgent = async (fixtures: Fixtures, body?: object) => ({ params: { agent_id: await freshAgent(fixtures) }, body });
const otherAgents = (body?: object): EndpointCase["rejectedRequests"] => [
  ["an agent of another organization", async (fixtures) => ({ params: { agent_id: await foreignAgent(fixtures) }, body }), 404],
  ["an account that is no agent", ({ member }) => ({ params: { agent_id: member.id }, body }), 404],
];

export const listAgents: EndpointCase = {
  caller: ({ member }) => member,
  async valid(fixtures) {
    await freshAgent(fixtures);
    return { query: {} };
  },
  assertResponse({ response, fixtures: { home } }) {
    const agent = response.data.find(({ project_ids }: { project_ids: number[] }) => project_ids.includes(home.project));
    expect(agent).toMatchObject({ object: "agent", is_agent: true, email: "", role: "member", paused: false, last_active_at: null });
  },
  invalid: BAD_PAGE_IN_QUERY,
  rejectedRequests: [],
  edgeCases: {
    "a guest sees agents of their projects only, and only those projects": async (fixtures) => {
      const { testApp, guestNextDoor, guest, home, next, owner } = fixtures;
      const agent = await createFreshAgent(testApp, { createdBy: owner, projects: [home.project, next.project] });
      for (const [person, project] of [
        [guest, home.project],
        [guestNextDoor, next.project],
      ] as const)
        expect((await testApp.call(person, operations.getAgent, { params: { agent_id: agent } })).response.data.project_ids).toEqual([project]);
      const apart = await freshAgent(fixtures);
      expect((await testApp.call(guestNextDoor, operations.listAgents)).response.data.map(({ id }) => id)).not.toContain(apart);
    },
  },
};

export const createAgent: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: ({ home }) => ({ body: { username: newName(), user_info: "Posts the loudness", role: "member", scopes: [...SCOPES], project_ids: [home.project] } }),
  assertResponse: ({ data, input, fixtures: { home, admin } }) =>
    expect(data).toMatchObject({
      object: "agent",
      username: (input.body as { username: string }).username,
      user_info: "Posts the loudness",
      email: "",
      is_agent: true,
      role: "member",
      scopes: [...SCOPES],
      paused: false,
      created_by_account_id: admin.id,
      project_ids: [home.project],
    }),
  invalid: {
    "body.username": BAD_NAME,
    "body.user_info": badText(500),
    "body.role": BAD_AGENT_ROLE,
    "body.scopes": BAD_SCOPES,
    "body.project_ids": [5, "1", null, ...BAD_ID.map((id) => [id]), [999_999], Array.from({ length: LIMITS.agent_projects + 1 }, (_, index) => index + 1)],
  },
  rejectedRequests: [
    [
      "a project of another organization",
      ({ foreign }) => ({ body: { username: newName(), role: "member", scopes: ["chat:read"], project_ids: [foreign.project] } }),
      400,
    ],
    ["the name of a person", () => ({ body: { username: "MEMBER", role: "member", scopes: ["chat:read"] } }), 409],
  ],
  edgeCases: {
    "it is in the list of the organization's people, marked as an agent": async ({ testApp, admin, guest }) => {
      const body = { username: newName(), role: "guest" as const, scopes: ["chat:read" as const] };
      const { id } = (await testApp.call(admin, operations.createAgent, { body })).response.data;
      const member = (await testApp.call(admin, accounts.listMembers)).response.data.find((person) => person.id === id);
      expect(member).toMatchObject({ is_agent: true, role: "guest", email: "", disabled: false });
      expect((await testApp.call(admin, accounts.listMembers)).response.data.find((person) => person.id === guest.id)).not.toHaveProperty("is_agent");
    },
  },
};

export const getAgent: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: withAgent,
  assertResponse: ({ data, input, fixtures: { home } }) =>
    expect(data).toMatchObject({ object: "agent", id: input.params?.["agent_id"], scopes: [...SCOPES], project_ids: [home.project] }),
  invalid: { "params.agent_id": BAD_ID_IN_PATH },
  rejectedRequests: otherAgents(),
  edgeCases: {
    "last_active_at is when it used a token": async (fixtures) => {
      const { testApp, admin } = fixtures;
      const agent_id = await freshAgent(fixtures);
      const token = await createToken(testApp, agent_id, ["account:read"]);
      await testApp.call(token, accounts.getAccount);
      await expect
        .poll(async () => (await testApp.call(admin, operations.getAgent, { params: { agent_id } })).response.data.last_active_at)
        .toBe(new Date(testApp.clock.now()).toISOString());
    },
  },
};

export const updateAgent: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: (fixtures) => withAgent(fixtures, { username: newName(), user_info: "Checks mixes", role: "guest", scopes: ["chat:read"], paused: true }),
  assertResponse: ({ data, input, fixtures: { admin } }) =>
    expect(data).toMatchObject({ ...(input.body as object), paused: true, paused_by_account_id: admin.id, paused_at: expect.any(String) }),
  invalid: {
    "params.agent_id": BAD_ID_IN_PATH,
    "body.username": BAD_NAME,
    "body.user_info": badText(500),
    "body.role": BAD_AGENT_ROLE,
    "body.scopes": BAD_SCOPES,
    "body.paused": BAD_BOOLEAN,
  },
  rejectedRequests: [...otherAgents({ paused: true }), ["the name of a person", async (fixtures) => withAgent(fixtures, { username: "Member" }), 409]],
  edgeCases: {
    "a member cannot change one": async (fixtures) => {
      const input = { params: { agent_id: await freshAgent(fixtures) }, body: { paused: true } };
      expect((await fixtures.testApp.call(fixtures.member, operations.updateAgent, input)).status).toBe(403);
    },
    "fewer scopes apply to its tokens at once": async (fixtures) => {
      const { testApp, admin, home } = fixtures;
      const agent_id = await freshAgent(fixtures);
      const token = await createToken(testApp, agent_id, SCOPES);
      const send = () => testApp.call(token, chat.sendMessage, { body: { project_id: home.project, body: "−14 LUFS" } });
      expect((await send()).status).toBe(200);
      await testApp.call(admin, operations.updateAgent, { params: { agent_id }, body: { scopes: ["chat:read"] } });
      expect((await send()).status).toBe(403);
    },
    "a pause refuses its tokens until it is resumed": async (fixtures) => {
      const { testApp, admin } = fixtures;
      const agent_id = await freshAgent(fixtures);
      const token = await createToken(testApp, agent_id, ["account:read"]);
      const pause = (paused: boolean) => testApp.call(admin, operations.updateAgent, { params: { agent_id }, body: { paused } });
      await pause(true);
      expect((await testApp.call(token, accounts.getAccount)).status).toBe(403);
      expect((await pause(false)).response.data).toMatchObject({ paused: false, paused_at: null, paused_by_account_id: null });
      expect((await testApp.call(token, accounts.getAccount)).status).toBe(200);
    },
    "the members page cannot change it": async (fixtures) => {
      const { testApp, owner } = fixtures;
      const account_id = await freshAgent(fixtures);
      for (const body of [{ role: "owner" as const }, { disabled: true }])
        expect((await testApp.call(owner, accounts.updateMember, { params: { account_id }, body })).status).toBe(409);
      expect((await testApp.call(owner, accounts.createPasswordReset, { params: { account_id } })).status).toBe(409);
    },
  },
};

export const deleteAgent: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: withAgent,
  async assertResponse({ input, fixtures: { testApp, admin } }) {
    expect((await testApp.call(admin, operations.getAgent, { params: { agent_id: input.params?.["agent_id"] as number } })).status).toBe(404);
  },
  invalid: { "params.agent_id": BAD_ID_IN_PATH },
  rejectedRequests: otherAgents(),
  edgeCases: {
    "its tokens end, and what it wrote stays with its name": async (fixtures) => {
      const { testApp, admin, member, home } = fixtures;
      const agent_id = await freshAgent(fixtures);
      const token = await createToken(testApp, agent_id, SCOPES);
      const { id } = (await testApp.call(token, chat.sendMessage, { body: { project_id: home.project, body: "Hello" } })).response.data;
      await testApp.call(admin, operations.deleteAgent, { params: { agent_id } });
      expect((await testApp.call(token, accounts.getAccount)).status).toBe(401);
      const history = (await testApp.call(member, chat.chatHistory, { body: { project_id: home.project, around_id: id } })).response.data;
      expect(history.find((message) => message.id === id)).toMatchObject({ account_id: agent_id, body: "Hello" });
      expect((await testApp.call(member, accounts.getAccount, { body: { account_id: agent_id } })).response.data).toMatchObject({ is_agent: true });
    },
  },
};

export const listAgentTokens: EndpointCase = {
  caller: ({ admin }) => admin,
  async valid(fixtures) {
    const input = await withAgent(fixtures);
    await createToken(fixtures.testApp, input.params.agent_id, ["chat:read"]);
    return input;
  },
  assertResponse: ({ response }) => {
    expect(response.data).toMatchObject([{ name: "agent", scopes: ["chat:read"], last_used_at: null }]);
    expect(response.data[0]).not.toHaveProperty("token");
  },
  invalid: { "params.agent_id": BAD_ID_IN_PATH },
  rejectedRequests: otherAgents(),
  edgeCases: {
    "a member cannot see them": async (fixtures) =>
      expect((await fixtures.testApp.call(fixtures.member, operations.listAgentTokens, { params: { agent_id: await freshAgent(fixtures) } })).status).toBe(403),
  },
};

const NEW_TOKEN = { name: "Render server", scopes: ["chat:read", "chat:write"] };
export const createAgentToken: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: (fixtures) => withAgent(fixtures, { ...NEW_TOKEN, expires_at: new Date(fixtures.testApp.clock.now() + DAY).toISOString() }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ ...NEW_TOKEN, token: expect.stringMatching(/^tb_pat_[0-9a-f]{8}_[\w-]{43}$/) }),
  invalid: {
    "params.agent_id": BAD_ID_IN_PATH,
    "body.name": [5, null, "", " ", "x".repeat(81), "two\nlines"],
    "body.scopes": [...BAD_SCOPES, ["files:read"], ["account:write", "chat:read"]],
    "body.expires_at": [5, "", "tomorrow", "2000-01-01T00:00:00Z", "2026-13-01T00:00:00Z", {}],
  },
  rejectedRequests: otherAgents(NEW_TOKEN),
  edgeCases: {
    "the token acts as the agent": async (fixtures) => {
      const { testApp, admin } = fixtures;
      const input = { params: { agent_id: await freshAgent(fixtures) }, body: { name: "Render server", scopes: ["account:read" as const] } };
      const { token } = (await testApp.call(admin, operations.createAgentToken, input)).response.data;
      const reply = await testApp.call(bearerCaller("agent", token!), accounts.getAccount);
      expect(reply.response.data).toMatchObject({ id: input.params.agent_id, is_agent: true });
    },
  },
};

export const revokeAgentToken: EndpointCase = {
  caller: ({ admin }) => admin,
  async valid(fixtures) {
    const agent_id = await freshAgent(fixtures);
    return { params: { agent_id, token_id: (await createToken(fixtures.testApp, agent_id, ["chat:read"])).id } };
  },
  async assertResponse({ input, fixtures: { testApp, admin } }) {
    const agent_id = input.params?.["agent_id"] as number;
    expect((await testApp.call(admin, operations.listAgentTokens, { params: { agent_id } })).response.data).toEqual([]);
  },
  invalid: { "params.agent_id": BAD_ID_IN_PATH, "params.token_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    [
      "the token of another agent",
      async (fixtures) => {
        const { testApp, owner } = fixtures;
        const other = await createFreshAgent(testApp, { createdBy: owner, projects: [] }, "other");
        return { params: { agent_id: await freshAgent(fixtures), token_id: (await createToken(testApp, other, ["chat:read"])).id } };
      },
      404,
    ],
    ["an account that is no agent", ({ member }) => ({ params: { agent_id: member.id, token_id: 1 } }), 404],
  ],
  edgeCases: {},
};
