import { expect } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as session from "../../../contract/operations/session.ts";
import { SECOND } from "../../lib/clock.ts";
import { ANONYMOUS } from "../client.ts";
import { createSession, PASSWORD, tokenFromUrl, createApiToken } from "../people.ts";
import { browserCaller } from "../test-app.ts";
import { BAD_BOOLEAN, BAD_EMAIL, BAD_ID, BAD_ID_IN_PATH, BAD_PASSWORD, BAD_SECRET, badLine, type EndpointCase } from "./case.ts";
import { extraMember } from "./helpers.ts";

export const getService: EndpointCase = {
  caller: () => ANONYMOUS,
  valid: () => ({}),
  assertResponse: ({ data }) => expect(data).toMatchObject({ name: "Talkback", setup_required: false, limits: { message_characters: 10_000 } }),
  invalid: {},
  rejectedRequests: [],
  edgeCases: {},
};

/** Setup works once per service: `sign-in.test.ts` covers success, and here the service is already set up. */
export const setUp: EndpointCase = {
  caller: () => ANONYMOUS,
  valid: ({ testApp }) => ({
    body: { token: testApp.app.setupToken, organisation: "Second", username: "second", email: "second@talkback.test", password: PASSWORD },
  }),
  assertResponse: () => expect.unreachable("a second set-up"),
  invalid: {
    "body.token": [...BAD_SECRET, "x".repeat(43)],
    "body.organisation": badLine(120),
    "body.username": badLine(60),
    "body.email": BAD_EMAIL,
    "body.password": BAD_PASSWORD,
  },
  rejectedRequests: [
    [
      "a service that is already set up",
      ({ testApp }) => ({ body: { token: testApp.app.setupToken, organisation: "x", username: "second", email: "second@talkback.test", password: PASSWORD } }),
      409,
    ],
  ],
  edgeCases: {},
};

export const getSession: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: () => ({}),
  assertResponse: ({ data, fixtures }) =>
    expect(data).toMatchObject({ account: { id: fixtures.guest.id }, role: "guest", authorized_by: "session", organisation: { name: "Northwind" } }),
  invalid: {},
  rejectedRequests: [],
  edgeCases: {
    "returns the scopes of a token": async ({ testApp, guest }) => {
      const token = await createApiToken(testApp, guest, ["account:read", "chat:read"]);
      expect((await testApp.call(token, session.getSession)).response.data).toMatchObject({
        scopes: ["account:read", "chat:read"],
        authorized_by: "token",
        session_id: null,
      });
    },
  },
};

export const signIn: EndpointCase = {
  caller: () => ANONYMOUS,
  valid: () => ({ body: { login: "owner", password: PASSWORD } }),
  assertResponse: ({ data, fixtures }) => expect(data.account.id).toBe(fixtures.owner.id),
  invalid: { "body.organisation_id": BAD_ID, "body.login": [5, null, "", "x".repeat(255), "nul\0", "lone \ud800"], "body.password": BAD_SECRET },
  rejectedRequests: [
    ["a wrong password", () => ({ body: { login: "neighbor", password: "not this one at all" } }), 401],
    ["an unknown person", () => ({ body: { login: "nobody at all", password: PASSWORD } }), 401],
  ],
  edgeCases: {
    "accepts an email address in any case and sets an HttpOnly cookie": async ({ testApp, owner }) => {
      const reply = await testApp.call(ANONYMOUS, session.signIn, { body: { login: ` ${owner.email.toUpperCase()} `, password: PASSWORD } });
      expect(reply.response.data.account.id).toBe(owner.id);
      expect(String(reply.headers["set-cookie"])).toMatch(/^talkback=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/);
    },
    "an unknown name and a wrong password return the same response": async ({ testApp }) => {
      const [known, unknown] = await Promise.all(
        ["guest", "no such name"].map((login) => testApp.call(ANONYMOUS, session.signIn, { body: { login, password: "not this one at all" } })),
      );
      expect({ ...known?.problem, request_id: "" }).toEqual({ ...unknown?.problem, request_id: "" });
    },
  },
};

export const signOut: EndpointCase = {
  caller: ({ testApp, member }) => createSession(testApp, member.id, "member elsewhere"),
  valid: () => ({}),
  assertResponse: async ({ fixtures: { testApp }, caller }) => expect((await testApp.call(caller, session.getSession)).status).toBe(401),
  invalid: {},
  rejectedRequests: [],
  edgeCases: {
    "keeps other sessions signed in": async ({ testApp, member }) => expect((await testApp.call(member, session.getSession)).status).toBe(200),
  },
};

export const listSessions: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: () => ({}),
  assertResponse: ({ response }) => {
    expect(response.data.filter((item: { current: boolean }) => item.current)).toHaveLength(1);
    expect(JSON.stringify(response)).not.toContain("token");
  },
  invalid: {},
  rejectedRequests: [],
  edgeCases: {},
};

export const endSession: EndpointCase = {
  caller: ({ member }) => member,
  valid: async ({ testApp, member }) => ({ params: { session_id: (await createSession(testApp, member.id, "phone")).id } }),
  assertResponse: async ({ input, fixtures: { testApp, member } }) => {
    const ids = (await testApp.call(member, session.listSessions)).response.data.map(({ id }) => id);
    expect(ids).not.toContain(input.params?.["session_id"]);
  },
  invalid: { "params.session_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["a colleague's session", async ({ testApp, guest }) => ({ params: { session_id: (await createSession(testApp, guest.id, "guest")).id } }), 404],
    [
      "a session of another organization",
      async ({ testApp, foreignOwner }) => ({ params: { session_id: (await createSession(testApp, foreignOwner.id, "foreign")).id } }),
      404,
    ],
  ],
  edgeCases: {},
};

export const endAllSessions: EndpointCase = {
  caller: async (fixtures) => createSession(fixtures.testApp, (await extraMember(fixtures)).id, "extra"),
  valid: () => ({}),
  assertResponse: async ({ fixtures: { testApp }, caller }) => {
    expect((await testApp.call(caller, session.getSession)).status).toBe(401);
    const extra = testApp.database.read.selectFrom("accounts").select("id").where("username_key", "=", "extra");
    expect(await testApp.database.read.selectFrom("sessions").select("id").where("account_id", "in", extra).execute()).toEqual([]);
  },
  invalid: {},
  rejectedRequests: [],
  edgeCases: {
    "keeps other people signed in": async ({ testApp, member }) => expect((await testApp.call(member, session.getSession)).status).toBe(200),
  },
};

export const previewPasswordReset: EndpointCase = {
  caller: () => ANONYMOUS,
  valid: async (fixtures) => {
    const reply = await fixtures.testApp.call(fixtures.owner, accounts.createPasswordReset, { params: { account_id: (await extraMember(fixtures)).id } });
    return { body: { token: tokenFromUrl(reply.response.data.url) } };
  },
  assertResponse: async ({ data, fixtures }) => {
    const { email } = await extraMember(fixtures);
    expect(data).toMatchObject({ email, api_tokens: 0, ends_tokens: true });
  },
  invalid: { "body.token": BAD_SECRET },
  rejectedRequests: [["an unknown link", () => ({ body: { token: "x".repeat(43) } }), 404]],
  edgeCases: {
    "leaves the tokens to the owner of an account who created the link, and counts those that work": async ({ testApp, owner }) => {
      const reply = await testApp.call(owner, accounts.createPasswordReset, { params: { account_id: owner.id } });
      const preview = async () =>
        (await testApp.call(ANONYMOUS, session.previewPasswordReset, { body: { token: tokenFromUrl(reply.response.data.url) } })).response.data;
      const before = await preview();
      expect(before).toMatchObject({ username: "owner", ends_tokens: false });
      await createApiToken(testApp, owner);
      const revoked = await createApiToken(testApp, owner);
      await testApp.call(owner, accounts.revokeToken, { params: { token_id: revoked.id } });
      await createApiToken(testApp, owner, ["chat:read"], new Date(testApp.clock.now() + SECOND).toISOString());
      testApp.clock.advance(SECOND);
      expect((await preview()).api_tokens).toBe(before.api_tokens + 1);
    },
  },
};

export const resetPassword: EndpointCase = {
  caller: () => ANONYMOUS,
  valid: async (fixtures) => {
    const reply = await fixtures.testApp.call(fixtures.owner, accounts.createPasswordReset, { params: { account_id: (await extraMember(fixtures)).id } });
    return { body: { token: tokenFromUrl(reply.response.data.url), password: PASSWORD } };
  },
  assertResponse: async ({ data, fixtures }) => expect(data.account.id).toBe((await extraMember(fixtures)).id),
  invalid: { "body.token": BAD_SECRET, "body.password": BAD_PASSWORD, "body.end_tokens": BAD_BOOLEAN },
  rejectedRequests: [["an unknown link", () => ({ body: { token: "x".repeat(43), password: PASSWORD } }), 404]],
  edgeCases: {
    "works once and ends every other session": async (fixtures) => {
      const { testApp, owner } = fixtures;
      const person = await extraMember(fixtures);
      const otherSession = await createSession(testApp, person.id, "elsewhere");
      const token = tokenFromUrl((await testApp.call(owner, accounts.createPasswordReset, { params: { account_id: person.id } })).response.data.url);
      const reply = await testApp.call(ANONYMOUS, session.resetPassword, { body: { token, password: PASSWORD } });
      expect((await testApp.call(browserCaller("extra", reply), session.getSession)).status).toBe(200);
      expect((await testApp.call(otherSession, session.getSession)).status).toBe(401);
      expect((await testApp.call(ANONYMOUS, session.resetPassword, { body: { token, password: PASSWORD } })).status).toBe(404);
    },
  },
};

export const liveTicket: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: () => ({}),
  assertResponse: ({ data, fixtures }) => {
    expect(data.ticket).toMatch(/^[\w-]{43}$/);
    expect(Date.parse(data.expires_at)).toBe(fixtures.testApp.clock.now() + 30 * SECOND);
  },
  invalid: {},
  rejectedRequests: [],
  edgeCases: {},
};
