import { expect } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as session from "../../../contract/operations/session.ts";
import { SECOND } from "../../lib/clock.ts";
import { NOBODY } from "../client.ts";
import { freshSession, PASSWORD, tokenIn, tokenOf } from "../people.ts";
import { browserOf } from "../world.ts";
import { extra } from "./accounts.ts";
import { BAD_EMAIL, BAD_ID_IN_PATH, BAD_PASSWORD, BAD_SECRET, badLine, type Case } from "./case.ts";

export const getService: Case = {
  as: () => NOBODY,
  good: () => ({}),
  happy: ({ data }) => expect(data).toMatchObject({ name: "Talkback", setup_required: false, limits: { message_characters: 10_000 } }),
  bad: {},
  foreign: [],
  edge: {},
};

/** Works once per service: the happy path stands in `first-run.test.ts`, here the house is taken. */
export const setUp: Case = {
  as: () => NOBODY,
  good: ({ world }) => ({
    body: { token: world.app.setupToken, organisation: "Second", username: "second", email: "second@talkback.test", password: PASSWORD },
  }),
  happy: () => expect.unreachable("a second set-up"),
  bad: {
    "body.token": [...BAD_SECRET, "x".repeat(43)],
    "body.organisation": badLine(120),
    "body.username": badLine(60),
    "body.email": BAD_EMAIL,
    "body.password": BAD_PASSWORD,
  },
  foreign: [
    [
      "a service that has its owner",
      ({ world }) => ({ body: { token: world.app.setupToken, organisation: "x", username: "second", email: "second@talkback.test", password: PASSWORD } }),
      409,
    ],
  ],
  edge: {},
};

export const getSession: Case = {
  as: ({ guest }) => guest,
  good: () => ({}),
  happy: ({ data, cast }) =>
    expect(data).toMatchObject({ account: { id: cast.guest.id }, role: "guest", authorized_by: "session", organisation: { name: "Northwind" } }),
  bad: {},
  foreign: [],
  edge: {
    "a token says what it may": async ({ world, guest }) => {
      const token = await tokenOf(world, guest, ["account:read", "chat:read"]);
      expect((await world.call(token, session.getSession)).answer.data).toMatchObject({
        scopes: ["account:read", "chat:read"],
        authorized_by: "token",
        session_id: null,
      });
    },
  },
};

export const signIn: Case = {
  as: () => NOBODY,
  good: () => ({ body: { login: "owner", password: PASSWORD } }),
  happy: ({ data, cast }) => expect(data.account.id).toBe(cast.owner.id),
  bad: { "body.login": [5, null, "", "x".repeat(255), "nul\0", "lone \ud800"], "body.password": BAD_SECRET },
  foreign: [
    ["a wrong password", () => ({ body: { login: "neighbour", password: "not this one at all" } }), 401],
    ["somebody who is not there", () => ({ body: { login: "nobody at all", password: PASSWORD } }), 401],
  ],
  edge: {
    "by address too, in any case, with an http-only cookie": async ({ world, owner }) => {
      const reply = await world.call(NOBODY, session.signIn, { body: { login: ` ${owner.email.toUpperCase()} `, password: PASSWORD } });
      expect(reply.answer.data.account.id).toBe(owner.id);
      expect(String(reply.headers["set-cookie"])).toMatch(/^talkback=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/);
    },
    "wrong name and wrong password cannot be told apart": async ({ world }) => {
      const [known, unknown] = await Promise.all(
        ["guest", "no such name"].map((login) => world.call(NOBODY, session.signIn, { body: { login, password: "not this one at all" } })),
      );
      expect({ ...known?.problem, request_id: "" }).toEqual({ ...unknown?.problem, request_id: "" });
    },
  },
};

export const signOut: Case = {
  as: ({ world, member }) => freshSession(world, member.id, "member elsewhere"),
  good: () => ({}),
  happy: async ({ cast: { world }, caller }) => expect((await world.call(caller, session.getSession)).status).toBe(401),
  bad: {},
  foreign: [],
  edge: {
    "the other browser stays signed in": async ({ world, member }) => expect((await world.call(member, session.getSession)).status).toBe(200),
  },
};

export const listSessions: Case = {
  as: ({ guest }) => guest,
  good: () => ({}),
  happy: ({ answer }) => {
    expect(answer.data.filter((one: { current: boolean }) => one.current)).toHaveLength(1);
    expect(JSON.stringify(answer)).not.toContain("token");
  },
  bad: {},
  foreign: [],
  edge: {},
};

export const endSession: Case = {
  as: ({ member }) => member,
  good: async ({ world, member }) => ({ params: { session_id: (await freshSession(world, member.id, "phone")).id } }),
  happy: async ({ given, cast: { world, member } }) => {
    const ids = (await world.call(member, session.listSessions)).answer.data.map(({ id }) => id);
    expect(ids).not.toContain(given.params?.["session_id"]);
  },
  bad: { "params.session_id": BAD_ID_IN_PATH },
  foreign: [
    ["a colleague's session", async ({ world, guest }) => ({ params: { session_id: (await freshSession(world, guest.id, "guest")).id } }), 404],
    [
      "a session of another organisation",
      async ({ world, foreignOwner }) => ({ params: { session_id: (await freshSession(world, foreignOwner.id, "foreign")).id } }),
      404,
    ],
  ],
  edge: {},
};

export const endAllSessions: Case = {
  as: async (cast) => freshSession(cast.world, (await extra(cast)).id, "extra"),
  good: () => ({}),
  happy: async ({ cast, caller }) => {
    expect((await cast.world.call(caller, session.getSession)).status).toBe(401);
    expect((await cast.world.call(await extra(cast), session.getSession)).status).toBe(401);
  },
  bad: {},
  foreign: [],
  edge: {
    "nobody else is signed out": async ({ world, member }) => expect((await world.call(member, session.getSession)).status).toBe(200),
  },
};

export const resetPassword: Case = {
  as: () => NOBODY,
  good: async (cast) => {
    const reply = await cast.world.call(cast.owner, accounts.createPasswordReset, { params: { account_id: (await extra(cast)).id } });
    return { body: { token: tokenIn(reply.answer.data.url), password: PASSWORD } };
  },
  happy: async ({ data, cast }) => expect(data.account.id).toBe((await extra(cast)).id),
  bad: { "body.token": BAD_SECRET, "body.password": BAD_PASSWORD },
  foreign: [["a link that nobody made", () => ({ body: { token: "x".repeat(43), password: PASSWORD } }), 404]],
  edge: {
    "once, and it ends every other session": async (cast) => {
      const { world, owner } = cast;
      const person = await extra(cast);
      const elsewhere = await freshSession(world, person.id, "elsewhere");
      const token = tokenIn((await world.call(owner, accounts.createPasswordReset, { params: { account_id: person.id } })).answer.data.url);
      const reply = await world.call(NOBODY, session.resetPassword, { body: { token, password: PASSWORD } });
      expect((await world.call(browserOf("extra", reply), session.getSession)).status).toBe(200);
      expect((await world.call(elsewhere, session.getSession)).status).toBe(401);
      expect((await world.call(NOBODY, session.resetPassword, { body: { token, password: PASSWORD } })).status).toBe(404);
    },
  },
};

export const liveTicket: Case = {
  as: ({ guest }) => guest,
  good: () => ({}),
  happy: ({ data, cast }) => {
    expect(data.ticket).toMatch(/^[\w-]{43}$/);
    expect(Date.parse(data.expires_at)).toBe(cast.world.clock.now() + 30 * SECOND);
  },
  bad: {},
  foreign: [],
  edge: {},
};
