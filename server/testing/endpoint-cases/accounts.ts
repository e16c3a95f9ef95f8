import { expect } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as audit from "../../../contract/operations/audit.ts";
import * as session from "../../../contract/operations/session.ts";
import { DAY } from "../../lib/clock.ts";
import { ANONYMOUS } from "../client.ts";
import { createSession, PASSWORD, tokenFromUrl, createApiToken } from "../people.ts";
import {
  BAD_BOOLEAN,
  BAD_ID,
  BAD_ID_IN_PATH,
  BAD_LIMIT_IN_QUERY,
  BAD_PASSWORD,
  BAD_ROLE,
  BAD_SECRET,
  BAD_TIMESTAMP_IN_QUERY,
  badLine,
  type EndpointCase,
} from "./case.ts";
import type { Fixtures } from "../fixtures.ts";
import { extraMember } from "./helpers.ts";

export const getAccount: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ member }) => ({ body: { account_id: member.id } }),
  assertResponse: ({ data, fixtures }) =>
    expect(data).toEqual({
      id: fixtures.member.id,
      username: "member",
      email: fixtures.member.email,
      avatar_url: null,
      user_info: "",
      time_zone: null,
      locale: null,
      working_hours: null,
    }),
  invalid: { "body.account_id": BAD_ID },
  rejectedRequests: [
    ["a person who shares no project with a guest", ({ neighbor }) => ({ body: { account_id: neighbor.id } }), 404],
    ["a person of another organization", ({ foreignMember }) => ({ body: { account_id: foreignMember.id } }), 404],
    ["an owner of another organization", ({ foreignOwner }) => ({ body: { account_id: foreignOwner.id } }), 404],
  ],
  edgeCases: {
    "returns the caller's account without a body": async ({ testApp, guest }) =>
      expect((await testApp.call(guest, accounts.getAccount)).response.data.id).toBe(guest.id),
  },
};

export const changePassword: EndpointCase = {
  caller: async (fixtures) => createSession(fixtures.testApp, (await extraMember(fixtures)).id, "extra again"),
  valid: () => ({ body: { current_password: PASSWORD, new_password: PASSWORD } }),
  assertResponse: ({ response }) => expect(response).toBeUndefined(),
  invalid: { "body.current_password": BAD_SECRET, "body.new_password": BAD_PASSWORD, "body.end_tokens": BAD_BOOLEAN },
  rejectedRequests: [],
  edgeCases: {
    "a wrong current password changes nothing": async (fixtures) => {
      const person = await extraMember(fixtures);
      const body = { current_password: "not this one at all", new_password: "another good password" };
      const caller = await createSession(fixtures.testApp, person.id, "extra");
      expect((await fixtures.testApp.call(caller, accounts.changePassword, { body })).status).toBe(403);
      expect((await fixtures.testApp.call(ANONYMOUS, session.signIn, { body: { login: person.email, password: PASSWORD } })).status).toBe(200);
    },
  },
};

export const listMembers: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: () => ({ query: { limit: 100 } }),
  assertResponse: ({ response, fixtures }) => {
    const names = response.data.map((account: { username: string }) => account.username.toLowerCase());
    expect(names).toEqual(expect.arrayContaining(["owner", "admin", "member", "guest"]));
    expect(names).not.toContain("neighbor");
    expect(response.data.find((account: { id: number }) => account.id === fixtures.member.id).project_ids).toEqual([fixtures.home.project]);
  },
  invalid: { "query.limit": BAD_LIMIT_IN_QUERY, "query.cursor": ["", "x", "x".repeat(201)] },
  rejectedRequests: [],
  edgeCases: {
    "a member sees everyone in the organization and nobody else": async ({ testApp, member, foreignOwner }) => {
      const people = (await testApp.call(member, accounts.listMembers, { query: {} })).response.data;
      expect(people.map(({ username }) => username)).toEqual(expect.arrayContaining(["neighbor", "guest next door"]));
      expect(people.map(({ id }) => id)).not.toContain(foreignOwner.id);
    },
  },
};

export const updateMember: EndpointCase = {
  valid: async (fixtures) => ({ params: { account_id: (await extraMember(fixtures)).id }, body: { role: "admin", disabled: false } }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ role: "admin", disabled: false }),
  invalid: { "params.account_id": BAD_ID_IN_PATH, "body.role": BAD_ROLE, "body.disabled": BAD_BOOLEAN },
  rejectedRequests: [
    ["a person of another organization", ({ foreignMember }) => ({ params: { account_id: foreignMember.id }, body: { disabled: true } }), 404],
    ["an account that does not exist", () => ({ params: { account_id: 999_999 }, body: { disabled: true } }), 404],
  ],
  edgeCases: {
    "the last owner cannot be demoted or disabled": async ({ testApp, owner }) => {
      const params = { account_id: owner.id };
      expect((await testApp.call(owner, accounts.updateMember, { params, body: { role: "admin" } })).status).toBe(409);
      expect((await testApp.call(owner, accounts.updateMember, { params, body: { disabled: true } })).status).toBe(409);
    },
    "an admin cannot disable or create an owner": async (fixtures) => {
      const { testApp, admin, owner } = fixtures;
      expect((await testApp.call(admin, accounts.updateMember, { params: { account_id: owner.id }, body: { disabled: true } })).status).toBe(403);
      expect(
        (await testApp.call(admin, accounts.updateMember, { params: { account_id: (await extraMember(fixtures)).id }, body: { role: "owner" } })).status,
      ).toBe(403);
    },
  },
};

export const transferOwnership: EndpointCase = {
  caller: ({ owner }) => owner,
  valid: async (fixtures) => ({ params: { account_id: (await extraMember(fixtures)).id }, body: { password: PASSWORD } }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ role: "owner" }),
  invalid: { "params.account_id": BAD_ID_IN_PATH, "body.password": BAD_SECRET, "body.step_down": BAD_BOOLEAN },
  rejectedRequests: [
    ["a person of another organization", ({ foreignMember }) => ({ params: { account_id: foreignMember.id }, body: { password: PASSWORD } }), 404],
    ["oneself", ({ owner }) => ({ params: { account_id: owner.id }, body: { password: PASSWORD } }), 409],
    ["a wrong password", async (fixtures) => ({ params: { account_id: (await extraMember(fixtures)).id }, body: { password: "not this one at all" } }), 403],
  ],
  edgeCases: {
    "the former owner is an admin, and can be made an owner again": async (fixtures) => {
      const { testApp, owner } = fixtures;
      const next = await extraMember(fixtures);
      const params = { account_id: next.id };
      const body = { password: PASSWORD, step_down: true };
      expect((await testApp.call(owner, accounts.transferOwnership, { params, body })).response.data.role).toBe("owner");
      const roles = (await testApp.call(owner, accounts.listMembers)).response.data.filter(({ id }) => id === owner.id || id === next.id);
      expect(new Map(roles.map(({ id, role }) => [id, role]))).toEqual(
        new Map([
          [owner.id, "admin"],
          [next.id, "owner"],
        ]),
      );
      // As an admin, it is no longer theirs to give.
      expect((await testApp.call(owner, accounts.transferOwnership, { params, body })).status).toBe(403);
      await testApp.database.write((tx) => tx.updateTable("accounts").set({ role: "owner" }).where("id", "=", owner.id).execute());
      await testApp.database.write((tx) => tx.updateTable("accounts").set({ role: "member" }).where("id", "=", next.id).execute());
    },
  },
};

export const updateOrganisation: EndpointCase = {
  valid: () => ({ body: { name: " Northlight Audio " } }),
  async assertResponse({ data, fixtures: { testApp, owner } }) {
    expect(data).toMatchObject({ name: "Northlight Audio" });
    expect((await testApp.call(owner, session.getSession)).response.data.organisation.name).toBe("Northlight Audio");
    // Other cases expect the former name.
    await testApp.call(owner, accounts.updateOrganisation, { body: { name: "Northwind" } });
  },
  invalid: { "body.name": badLine(120) },
  rejectedRequests: [],
  edgeCases: {
    "everybody's pages get the new name, once": async ({ testApp, owner }) => {
      const { organisation } = (await testApp.call(owner, session.getSession)).response.data;
      const newest = () => testApp.app.deps.events.after(testApp.database.read, `organisation:${organisation.id}`, start, 10);
      const { seq: start } = await testApp.database.read
        .selectFrom("topics")
        .select("seq")
        .where("topic", "=", `organisation:${organisation.id}`)
        .executeTakeFirstOrThrow();
      for (const name of ["Northlight", "Northlight", organisation.name]) await testApp.call(owner, accounts.updateOrganisation, { body: { name } });
      const expected = ["Northlight", organisation.name].map((name) => ({ type: "organisation.updated", data: { id: organisation.id, name } }));
      expect((await newest()).map(({ type, data }) => ({ type, data: JSON.parse(data) }))).toEqual(expected);
    },
  },
};

export const createPasswordReset: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async (fixtures) => ({ params: { account_id: (await extraMember(fixtures)).id } }),
  assertResponse: ({ data, fixtures }) => {
    expect(data.url).toMatch(/\/reset#[\w-]{43}$/);
    expect(Date.parse(data.expires_at)).toBe(fixtures.testApp.clock.now() + DAY);
  },
  invalid: { "params.account_id": BAD_ID_IN_PATH },
  rejectedRequests: [["a person of another organization", ({ foreignMember }) => ({ params: { account_id: foreignMember.id } }), 404]],
  edgeCases: {
    "an admin cannot reset an owner's password": async ({ testApp, admin, owner }) =>
      expect((await testApp.call(admin, accounts.createPasswordReset, { params: { account_id: owner.id } })).status).toBe(403),
    "a second link invalidates the first": async (fixtures) => {
      const { testApp, owner } = fixtures;
      const params = { account_id: (await extraMember(fixtures)).id };
      const first = tokenFromUrl((await testApp.call(owner, accounts.createPasswordReset, { params })).response.data.url);
      await testApp.call(owner, accounts.createPasswordReset, { params });
      expect((await testApp.call(ANONYMOUS, session.resetPassword, { body: { token: first, password: "another good password" } })).status).toBe(404);
    },
  },
};

const createOpenReset = async (fixtures: Fixtures, caller = fixtures.owner, accountId?: number): Promise<number> => {
  await fixtures.testApp.call(caller, accounts.createPasswordReset, { params: { account_id: accountId ?? (await extraMember(fixtures)).id } });
  const [newest] = (await fixtures.testApp.call(caller, accounts.listPasswordResets)).response.data;
  return newest?.id ?? 0;
};

export const listPasswordResets: EndpointCase = {
  valid: async (fixtures) => {
    await createOpenReset(fixtures);
    return {};
  },
  assertResponse: async ({ response, fixtures }) => {
    const { id } = await extraMember(fixtures);
    expect(response.data.filter((reset: { account_id: number }) => reset.account_id === id)).toEqual([
      expect.objectContaining({ account_id: id, created_by_account_id: fixtures.owner.id }),
    ]);
  },
  invalid: {},
  rejectedRequests: [],
  edgeCases: {
    "never returns the link, nor links that are used, revoked, expired or of another organization": async (fixtures) => {
      const { testApp, owner, foreignOwner, foreignMember } = fixtures;
      const params = { account_id: (await extraMember(fixtures)).id };
      await createOpenReset(fixtures, foreignOwner, foreignMember.id);
      const token = tokenFromUrl((await testApp.call(owner, accounts.createPasswordReset, { params })).response.data.url);
      const listed = await testApp.call(owner, accounts.listPasswordResets);
      expect(listed.text).not.toContain(token);
      expect(listed.response.data.map(({ account_id }) => account_id)).toEqual([params.account_id]);
      await testApp.call(ANONYMOUS, session.resetPassword, { body: { token, password: PASSWORD } });
      expect((await testApp.call(owner, accounts.listPasswordResets)).response.data).toEqual([]);
      await createOpenReset(fixtures);
      testApp.clock.advance(DAY);
      expect((await testApp.call(owner, accounts.listPasswordResets)).response.data).toEqual([]);
    },
  },
};

export const revokePasswordReset: EndpointCase = {
  valid: async (fixtures) => ({ params: { reset_id: await createOpenReset(fixtures) } }),
  assertResponse: async ({ fixtures: { testApp, owner } }) => expect((await testApp.call(owner, accounts.listPasswordResets)).response.data).toEqual([]),
  invalid: { "params.reset_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    [
      "a link of another organization",
      async (fixtures) => ({ params: { reset_id: await createOpenReset(fixtures, fixtures.foreignOwner, fixtures.foreignMember.id) } }),
      404,
    ],
  ],
  edgeCases: {
    "the link stops working at once": async (fixtures) => {
      const { testApp, owner } = fixtures;
      const url = (await testApp.call(owner, accounts.createPasswordReset, { params: { account_id: (await extraMember(fixtures)).id } })).response.data.url;
      const [newest] = (await testApp.call(owner, accounts.listPasswordResets)).response.data;
      await testApp.call(owner, accounts.revokePasswordReset, { params: { reset_id: newest?.id ?? 0 } });
      expect((await testApp.call(ANONYMOUS, session.resetPassword, { body: { token: tokenFromUrl(url), password: PASSWORD } })).status).toBe(404);
    },
  },
};

export const listTokens: EndpointCase = {
  caller: ({ member }) => member,
  valid: async ({ testApp, member }) => {
    await createApiToken(testApp, member, ["chat:read"]);
    return {};
  },
  assertResponse: ({ response }) => {
    expect(response.data[0]).toMatchObject({ name: "test", scopes: ["chat:read"], last_used_at: null });
    expect(response.data[0].hint).toMatch(/^tb_pat_[0-9a-f]{8}_…$/);
    expect(response.data.some((token: object) => "token" in token || "token_hash" in token)).toBe(false);
  },
  invalid: {},
  rejectedRequests: [],
  edgeCases: {
    "lists only the caller's own tokens": async ({ testApp, guest }) => expect((await testApp.call(guest, accounts.listTokens)).response.data).toEqual([]),
  },
};

export const createToken: EndpointCase = {
  caller: ({ member }) => member,
  valid: ({ testApp }) => ({ body: { name: "Robot", scopes: ["chat:read", "chat:write"], expires_at: new Date(testApp.clock.now() + DAY).toISOString() } }),
  assertResponse: ({ data }) =>
    expect(data).toMatchObject({ name: "Robot", scopes: ["chat:read", "chat:write"], token: expect.stringMatching(/^tb_pat_[0-9a-f]{8}_[\w-]{43}$/) }),
  invalid: {
    "body.name": badLine(80),
    "body.scopes": [5, null, [], ["everything"], "chat:read", [null]],
    "body.expires_at": [5, "", "tomorrow", "2000-01-01T00:00:00Z", "2026-13-01T00:00:00Z", {}],
  },
  rejectedRequests: [],
  edgeCases: {
    "a token cannot create tokens": async ({ testApp, member }) => {
      const token = await createApiToken(testApp, member);
      expect((await testApp.call(token, accounts.createToken, { body: { name: "x", scopes: ["admin"] } })).status).toBe(403);
    },
  },
};

export const revokeToken: EndpointCase = {
  caller: ({ member }) => member,
  valid: async ({ testApp, member }) => ({ params: { token_id: (await createApiToken(testApp, member)).id } }),
  assertResponse: async ({ input, fixtures: { testApp, member } }) => {
    const ids = (await testApp.call(member, accounts.listTokens)).response.data.map(({ id }) => id);
    expect(ids).not.toContain(input.params?.["token_id"]);
  },
  invalid: { "params.token_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["a colleague's token", async ({ testApp, neighbor }) => ({ params: { token_id: (await createApiToken(testApp, neighbor)).id } }), 404],
    ["a token of another organization", async ({ testApp, foreignOwner }) => ({ params: { token_id: (await createApiToken(testApp, foreignOwner)).id } }), 404],
  ],
  edgeCases: {
    "the token stops working at once": async ({ testApp, member }) => {
      const token = await createApiToken(testApp, member);
      expect((await testApp.call(token, session.getSession)).response.data.authorized_by).toBe("token");
      await testApp.call(member, accounts.revokeToken, { params: { token_id: token.id } });
      expect((await testApp.call(token, session.getSession)).status).toBe(401);
    },
  },
};

export const listAuditEntries: EndpointCase = {
  valid: () => ({ query: { limit: 5, group: "sign_in", from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" } }),
  assertResponse: ({ response }) => {
    expect(response.data.length).toBeGreaterThan(0);
    for (const entry of response.data) expect(entry).toMatchObject({ group: "sign_in", text: expect.any(String), target: { id: expect.any(Number) } });
  },
  invalid: {
    "query.limit": BAD_LIMIT_IN_QUERY,
    "query.cursor": ["", "x", "x".repeat(201)],
    "query.account_id": BAD_ID_IN_PATH,
    "query.group": ["", "everything"],
    "query.from": BAD_TIMESTAMP_IN_QUERY,
    "query.to": BAD_TIMESTAMP_IN_QUERY,
  },
  rejectedRequests: [],
  edgeCases: {
    "admins cannot read it": async ({ testApp, admin }) => expect((await testApp.call(admin, audit.listAuditEntries, { query: {} })).status).toBe(403),
    "a person of another organization has no entries": async ({ testApp, owner, foreignOwner }) =>
      expect((await testApp.call(owner, audit.listAuditEntries, { query: { account_id: String(foreignOwner.id) } })).response.data).toEqual([]),
  },
};
