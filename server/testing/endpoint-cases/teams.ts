import { expect } from "vitest";
import * as session from "../../../contract/operations/session.ts";
import * as teams from "../../../contract/operations/teams.ts";
import { DAY } from "../../lib/clock.ts";
import { ANONYMOUS, type Caller } from "../client.ts";
import { createInvite, PASSWORD, tokenFromUrl } from "../people.ts";
import { browserCaller } from "../test-app.ts";
import {
  BAD_EMAIL,
  BAD_ID,
  BAD_ID_IN_PATH,
  BAD_PAGE_IN_BODY,
  BAD_PASSWORD,
  BAD_ROLE,
  BAD_SECRET,
  badLine,
  badText,
  withoutNull,
  type EndpointCase,
} from "./case.ts";

let counter = 0;
const newName = (): string => `newcomer ${++counter}`;

export const listTeams: EndpointCase = {
  caller: ({ member }) => member,
  valid: () => ({}),
  assertResponse: ({ response, fixtures }) =>
    expect(response.data).toEqual([expect.objectContaining({ id: fixtures.home.team, name: "Northwind", role: "member" })]),
  invalid: {},
  rejectedRequests: [],
  edgeCases: {
    "accepts an empty body": async ({ testApp, owner }) => expect((await testApp.call(owner, teams.listTeams, { body: {} })).response.data).toHaveLength(2),
  },
};

export const listFileStatuses: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ body: { team_id: home.team } }),
  assertResponse: ({ response }) =>
    expect(response.data.map((status: { title: string }) => status.title)).toEqual(["In progress", "In review", "Changes requested", "Approved"]),
  invalid: { "body.team_id": BAD_ID },
  rejectedRequests: [
    ["another team of the organization", ({ apart }) => ({ body: { team_id: apart.team } }), 404],
    ["a team of another organization", ({ foreign }) => ({ body: { team_id: foreign.team } }), 404],
  ],
  edgeCases: {},
};

export const inviteMember: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: ({ home }) => ({ body: { team_id: home.team, role: "guest", project_ids: [home.project], email: "mix@talkback.test" } }),
  assertResponse: ({ data, fixtures }) => {
    expect(data.url).toMatch(/^http:\/\/talkback\.test:3000\/invite#[\w-]{43}$/);
    expect(Date.parse(data.expires_at)).toBe(fixtures.testApp.clock.now() + 7 * DAY);
  },
  invalid: {
    "body.team_id": BAD_ID,
    "body.role": BAD_ROLE,
    "body.project_ids": [5, null, "1", ["1"], [0], [], Array.from({ length: 201 }, (_, index) => index + 1)],
    "body.email": withoutNull(BAD_EMAIL),
  },
  rejectedRequests: [
    ["a team of another organization", ({ foreign }) => ({ body: { team_id: foreign.team, role: "member" } }), 404],
    [
      "a project of another organization",
      ({ home, foreign }) => ({ body: { team_id: home.team, role: "guest", project_ids: [home.project, foreign.project] } }),
      400,
    ],
    ["a project of another team", ({ home, apart }) => ({ body: { team_id: home.team, role: "guest", project_ids: [apart.project] } }), 400],
  ],
  edgeCases: {
    "an admin cannot invite an owner": async ({ testApp, admin, home }) =>
      expect((await testApp.call(admin, teams.inviteMember, { body: { team_id: home.team, role: "owner" } })).status).toBe(403),
    "rejects a guest without a project": async ({ testApp, owner, home }) =>
      expect((await testApp.call(owner, teams.inviteMember, { body: { team_id: home.team, role: "guest" } })).status).toBe(400),
  },
};

export const listInvites: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: () => ({}),
  assertResponse: ({ response, fixtures }) => {
    expect(response.object).toBe("list");
    expect(response.data.every((item: { team_id: number }) => item.team_id !== fixtures.foreign.team)).toBe(true);
  },
  invalid: {},
  rejectedRequests: [],
  edgeCases: {
    "never returns the link": async ({ testApp, owner, home }) => {
      const token = await createInvite(testApp, owner, { team: home.team, role: "member" });
      expect((await testApp.call(owner, teams.listInvites)).text).not.toContain(token);
    },
  },
};

const createOpenInvite = async (fixtures: Parameters<EndpointCase["valid"]>[0], caller = fixtures.owner, team = fixtures.home.team): Promise<number> => {
  await createInvite(fixtures.testApp, caller, { team, role: "member" });
  const [newest] = (await fixtures.testApp.call(caller, teams.listInvites)).response.data;
  return newest?.id ?? 0;
};

export const revokeInvite: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async (fixtures) => ({ params: { invite_id: await createOpenInvite(fixtures) } }),
  assertResponse: async ({ input, fixtures: { testApp, owner } }) => {
    const openInvites = (await testApp.call(owner, teams.listInvites)).response.data;
    expect(openInvites.map(({ id }) => id)).not.toContain(input.params?.["invite_id"]);
  },
  invalid: { "params.invite_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    [
      "an invite of another organization",
      async (fixtures) => ({ params: { invite_id: await createOpenInvite(fixtures, fixtures.foreignOwner, fixtures.foreign.team) } }),
      404,
    ],
  ],
  edgeCases: {
    "returns 404 for a revoked invite": async (fixtures) => {
      const params = { invite_id: await createOpenInvite(fixtures) };
      expect((await fixtures.testApp.call(fixtures.owner, teams.revokeInvite, { params })).status).toBe(204);
      expect((await fixtures.testApp.call(fixtures.owner, teams.revokeInvite, { params })).status).toBe(404);
    },
  },
};

export const previewInvite: EndpointCase = {
  caller: () => ANONYMOUS,
  valid: async ({ testApp, owner, home }) => ({
    body: { token: await createInvite(testApp, owner, { team: home.team, role: "guest", projects: [home.project] }) },
  }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ organisation: "Northwind", invited_by: "owner", role: "guest", projects: ["home"], email: null }),
  invalid: { "body.token": BAD_SECRET },
  rejectedRequests: [["an unknown link", () => ({ body: { token: "x".repeat(43) } }), 404]],
  edgeCases: {},
};

export const acceptInvite: EndpointCase = {
  caller: () => ANONYMOUS,
  valid: async ({ testApp, owner, home }) => {
    const name = newName();
    const token = await createInvite(testApp, owner, { team: home.team, role: "guest", projects: [home.project] });
    return { body: { token, username: name, email: `${name.replace(" ", "-")}@talkback.test`, password: PASSWORD } };
  },
  assertResponse: ({ data, input, fixtures }) => {
    expect(data).toMatchObject({ role: "guest", authorized_by: "session", organisation: { name: "Northwind" } });
    expect(data.account.username).toBe((input.body as { username: string }).username);
    expect(data.account.id).toBeGreaterThan(fixtures.foreignGuest.id);
  },
  invalid: {
    "body.token": BAD_SECRET,
    "body.username": [...badLine(60), "owner", " OWNER ", "ｏｗｎｅｒ", "a@b.test"],
    "body.email": [...BAD_EMAIL, "Owner@talkback.test"],
    "body.password": BAD_PASSWORD,
  },
  rejectedRequests: [["an unknown link", () => ({ body: { token: "x".repeat(43), username: "x y z", email: "x@y.test", password: PASSWORD } }), 404]],
  edgeCases: {
    "rejects another email address than the invite's": async ({ testApp, owner, home }) => {
      const reply = await testApp.call(owner, teams.inviteMember, { body: { team_id: home.team, role: "member", email: "Meant@talkback.test" } });
      const body = { token: tokenFromUrl(reply.response.data.url ?? ""), username: newName(), password: PASSWORD };
      expect((await testApp.call(ANONYMOUS, teams.acceptInvite, { body: { ...body, email: "other@talkback.test" } })).problem.errors?.[0]?.path).toBe("email");
      const joined = await testApp.call(ANONYMOUS, teams.acceptInvite, { body: { ...body, email: "meant@talkback.test" } });
      expect((await testApp.call(browserCaller("joined", joined), session.getSession)).response.data.role).toBe("member");
    },
  },
};

export const listGroups: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ body: { team_id: home.team } }),
  assertResponse: ({ response, fixtures }) => expect(response.data.map((group: { id: number }) => group.id)).toEqual([fixtures.home.group]),
  invalid: { ...BAD_PAGE_IN_BODY, "body.team_id": BAD_ID },
  rejectedRequests: [
    ["another team of the organization", ({ apart }) => ({ body: { team_id: apart.team } }), 404],
    ["a team of another organization", ({ foreign }) => ({ body: { team_id: foreign.team } }), 404],
  ],
  edgeCases: {
    "a member sees the groups of their projects and those that they have created, owners and admins all": async ({ testApp, member, admin, home, next }) => {
      const created = (await testApp.call(member, teams.createGroup, { body: { team_id: home.team, name: `Still empty ${++counter}` } })).response.data.id;
      const idsFor = async (caller: Caller) =>
        (await testApp.call(caller, teams.listGroups, { body: { team_id: home.team, limit: 200 } })).response.data.map(({ id }) => id);
      const [seenByMember, seenByAdmin] = [await idsFor(member), await idsFor(admin)];
      expect([home.group, next.group, created].map((id) => seenByMember.includes(id))).toEqual([true, false, true]);
      expect(seenByAdmin).toEqual(expect.arrayContaining([home.group, next.group, created]));
    },
  },
};

export const getGroup: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ body: { group_id: home.group } }),
  assertResponse: ({ data, fixtures }) => expect(data).toMatchObject({ id: fixtures.home.group, name: "home group", team_id: fixtures.home.team }),
  invalid: { "body.group_id": BAD_ID },
  rejectedRequests: [
    ["a group without visible projects", ({ next }) => ({ body: { group_id: next.group } }), 404],
    ["a group of another organization", ({ foreign }) => ({ body: { group_id: foreign.group } }), 404],
  ],
  edgeCases: {},
};

export const createGroup: EndpointCase = {
  caller: ({ member }) => member,
  valid: ({ home }) => ({ body: { team_id: home.team, name: ` Singles ${++counter} `, description: "One song each" } }),
  assertResponse: ({ data, input, fixtures }) => {
    const { name } = input.body as { name: string };
    expect(data).toMatchObject({ name: name.trim(), description: "One song each", team_id: fixtures.home.team });
  },
  invalid: { "body.team_id": BAD_ID, "body.name": badLine(120), "body.description": badText(2_000) },
  rejectedRequests: [
    ["another team of the organization", ({ apart }) => ({ body: { team_id: apart.team, name: "x" } }), 404],
    ["a team of another organization", ({ foreign }) => ({ body: { team_id: foreign.team, name: "x" } }), 404],
    ["a name that differs only in case", ({ home }) => ({ body: { team_id: home.team, name: "HOME Group" } }), 409],
    ["a name that differs only in its Unicode form", ({ home }) => ({ body: { team_id: home.team, name: "ｈome group" } }), 409],
  ],
  edgeCases: {
    "rejects a guest": async ({ testApp, guest, home }) =>
      expect((await testApp.call(guest, teams.createGroup, { body: { team_id: home.team, name: "x" } })).status).toBe(403),
  },
};
