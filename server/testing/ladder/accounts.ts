import { expect } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as session from "../../../contract/operations/session.ts";
import { DAY } from "../../lib/clock.ts";
import { NOBODY } from "../client.ts";
import { freshSession, join, PASSWORD, tokenIn, tokenOf, type Person } from "../people.ts";
import type { Cast } from "../cast.ts";
import { BAD_BOOLEAN, BAD_EMAIL, BAD_ID, BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, BAD_PASSWORD, BAD_ROLE, BAD_SECRET, badLine, badText, type Case } from "./case.ts";

/** Somebody to act upon, made once per cast. */
const extras = new WeakMap<Cast, Promise<Person>>();
export function extra(cast: Cast): Promise<Person> {
  const made = extras.get(cast) ?? join(cast.world, cast.owner, "extra", { team: cast.home.team, role: "member", projects: [cast.home.project] });
  extras.set(cast, made);
  return made;
}

export const getAccount: Case = {
  as: ({ guest }) => guest,
  good: ({ member }) => ({ body: { account_id: member.id } }),
  happy: ({ data, cast }) => expect(data).toEqual({ id: cast.member.id, username: "member", email: cast.member.email, avatar_url: null, user_info: "" }),
  bad: { "body.account_id": BAD_ID },
  foreign: [
    ["a person who shares no project with a guest", ({ neighbour }) => ({ body: { account_id: neighbour.id } }), 404],
    ["a person of another organisation", ({ foreignMember }) => ({ body: { account_id: foreignMember.id } }), 404],
    ["an owner of another organisation", ({ foreignOwner }) => ({ body: { account_id: foreignOwner.id } }), 404],
  ],
  edge: {
    "without a body it is about oneself": async ({ world, guest }) => expect((await world.call(guest, accounts.getAccount)).answer.data.id).toBe(guest.id),
  },
};

export const updateAccount: Case = {
  as: extra,
  good: () => ({ body: { username: " Extra ", email: "extra@talkback.test", user_info: "Mixes\nat night" } }),
  happy: ({ data }) => expect(data).toMatchObject({ username: "Extra", user_info: "Mixes\nat night" }),
  bad: { "body.username": [...badLine(60), "owner", "a@b.test"], "body.email": [...BAD_EMAIL, "OWNER@talkback.test"], "body.user_info": badText(500) },
  foreign: [],
  edge: {
    "one's own name is not taken": async ({ world, member }) =>
      expect((await world.call(member, accounts.updateAccount, { body: { username: "Member" } })).answer.data.username).toBe("Member"),
    "a token does not change the profile": async ({ world, member }) => {
      const token = await tokenOf(world, member);
      expect((await world.call(token, accounts.updateAccount, { body: { user_info: "x" } })).status).toBe(403);
    },
  },
};

export const changePassword: Case = {
  as: async (cast) => freshSession(cast.world, (await extra(cast)).id, "extra again"),
  good: () => ({ body: { current_password: PASSWORD, new_password: PASSWORD } }),
  happy: ({ answer }) => expect(answer).toBeUndefined(),
  bad: { "body.current_password": BAD_SECRET, "body.new_password": BAD_PASSWORD },
  foreign: [],
  edge: {
    "the wrong current password changes nothing": async (cast) => {
      const person = await extra(cast);
      const body = { current_password: "not this one at all", new_password: "another good password" };
      const caller = await freshSession(cast.world, person.id, "extra");
      expect((await cast.world.call(caller, accounts.changePassword, { body })).status).toBe(403);
      expect((await cast.world.call(NOBODY, session.signIn, { body: { login: person.email, password: PASSWORD } })).status).toBe(200);
    },
  },
};

export const listMembers: Case = {
  as: ({ guest }) => guest,
  good: () => ({ query: { limit: 100 } }),
  happy: ({ answer, cast }) => {
    const names = answer.data.map((one: { username: string }) => one.username.toLowerCase());
    expect(names).toEqual(expect.arrayContaining(["owner", "admin", "member", "guest"]));
    expect(names).not.toContain("neighbour");
    expect(answer.data.find((one: { id: number }) => one.id === cast.member.id).project_ids).toEqual([cast.home.project]);
  },
  bad: { "query.limit": BAD_LIMIT_IN_QUERY, "query.cursor": ["", "x", "x".repeat(201)] },
  foreign: [],
  edge: {
    "a member sees everybody of the organisation, and nobody else": async ({ world, member, foreignOwner }) => {
      const people = (await world.call(member, accounts.listMembers, { query: {} })).answer.data;
      expect(people.map(({ username }) => username)).toEqual(expect.arrayContaining(["neighbour", "guest next door"]));
      expect(people.map(({ id }) => id)).not.toContain(foreignOwner.id);
    },
  },
};

export const updateMember: Case = {
  good: async (cast) => ({ params: { account_id: (await extra(cast)).id }, body: { role: "member", disabled: false } }),
  happy: ({ data }) => expect(data).toMatchObject({ role: "member", disabled: false }),
  bad: { "params.account_id": BAD_ID_IN_PATH, "body.role": BAD_ROLE, "body.disabled": BAD_BOOLEAN },
  foreign: [
    ["a person of another organisation", ({ foreignMember }) => ({ params: { account_id: foreignMember.id }, body: { disabled: true } }), 404],
    ["nobody", () => ({ params: { account_id: 999_999 }, body: { disabled: true } }), 404],
  ],
  edge: {
    "the last owner stays owner, and stays": async ({ world, owner }) => {
      const params = { account_id: owner.id };
      expect((await world.call(owner, accounts.updateMember, { params, body: { role: "admin" } })).status).toBe(409);
      expect((await world.call(owner, accounts.updateMember, { params, body: { disabled: true } })).status).toBe(409);
    },
    "an admin touches no owner, and makes none": async (cast) => {
      const { world, admin, owner } = cast;
      expect((await world.call(admin, accounts.updateMember, { params: { account_id: owner.id }, body: { disabled: true } })).status).toBe(403);
      expect((await world.call(admin, accounts.updateMember, { params: { account_id: (await extra(cast)).id }, body: { role: "owner" } })).status).toBe(403);
    },
  },
};

export const createPasswordReset: Case = {
  as: ({ admin }) => admin,
  good: async (cast) => ({ params: { account_id: (await extra(cast)).id } }),
  happy: ({ data, cast }) => {
    expect(data.url).toMatch(/\/reset#[\w-]{43}$/);
    expect(Date.parse(data.expires_at)).toBe(cast.world.clock.now() + DAY);
  },
  bad: { "params.account_id": BAD_ID_IN_PATH },
  foreign: [["a person of another organisation", ({ foreignMember }) => ({ params: { account_id: foreignMember.id } }), 404]],
  edge: {
    "an admin resets no owner": async ({ world, admin, owner }) =>
      expect((await world.call(admin, accounts.createPasswordReset, { params: { account_id: owner.id } })).status).toBe(403),
    "a second link ends the first": async (cast) => {
      const { world, owner } = cast;
      const params = { account_id: (await extra(cast)).id };
      const first = tokenIn((await world.call(owner, accounts.createPasswordReset, { params })).answer.data.url);
      await world.call(owner, accounts.createPasswordReset, { params });
      expect((await world.call(NOBODY, session.resetPassword, { body: { token: first, password: "another good password" } })).status).toBe(404);
    },
  },
};

export const listTokens: Case = {
  as: ({ member }) => member,
  good: async ({ world, member }) => {
    await tokenOf(world, member, ["chat:read"]);
    return {};
  },
  happy: ({ answer }) => {
    expect(answer.data[0]).toMatchObject({ name: "test", scopes: ["chat:read"], last_used_at: null });
    expect(answer.data[0].hint).toMatch(/^tb_pat_[0-9a-f]{8}_…$/);
    expect(answer.data.some((one: object) => "token" in one || "token_hash" in one)).toBe(false);
  },
  bad: {},
  foreign: [],
  edge: {
    "shows one's own only": async ({ world, guest }) => expect((await world.call(guest, accounts.listTokens)).answer.data).toEqual([]),
  },
};

export const createToken: Case = {
  as: ({ member }) => member,
  good: ({ world }) => ({ body: { name: "Robot", scopes: ["chat:read", "chat:write"], expires_at: new Date(world.clock.now() + DAY).toISOString() } }),
  happy: ({ data }) =>
    expect(data).toMatchObject({ name: "Robot", scopes: ["chat:read", "chat:write"], token: expect.stringMatching(/^tb_pat_[0-9a-f]{8}_[\w-]{43}$/) }),
  bad: {
    "body.name": badLine(80),
    "body.scopes": [5, null, [], ["everything"], "chat:read", [null]],
    "body.expires_at": [5, "", "tomorrow", "2000-01-01T00:00:00Z", "2026-13-01T00:00:00Z", {}],
  },
  foreign: [],
  edge: {
    "a token makes no tokens": async ({ world, member }) => {
      const token = await tokenOf(world, member);
      expect((await world.call(token, accounts.createToken, { body: { name: "x", scopes: ["admin"] } })).status).toBe(403);
    },
  },
};

export const revokeToken: Case = {
  as: ({ member }) => member,
  good: async ({ world, member }) => ({ params: { token_id: (await tokenOf(world, member)).id } }),
  happy: async ({ given, cast: { world, member } }) => {
    const ids = (await world.call(member, accounts.listTokens)).answer.data.map(({ id }) => id);
    expect(ids).not.toContain(given.params?.["token_id"]);
  },
  bad: { "params.token_id": BAD_ID_IN_PATH },
  foreign: [
    ["a colleague's token", async ({ world, neighbour }) => ({ params: { token_id: (await tokenOf(world, neighbour)).id } }), 404],
    ["a token of another organisation", async ({ world, foreignOwner }) => ({ params: { token_id: (await tokenOf(world, foreignOwner)).id } }), 404],
  ],
  edge: {
    "it ends at once": async ({ world, member }) => {
      const token = await tokenOf(world, member);
      expect((await world.call(token, session.getSession)).answer.data.authorized_by).toBe("token");
      await world.call(member, accounts.revokeToken, { params: { token_id: token.id } });
      expect((await world.call(token, session.getSession)).status).toBe(401);
    },
  },
};
