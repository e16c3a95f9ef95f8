import { expect } from "vitest";
import * as session from "../../../contract/operations/session.ts";
import * as teams from "../../../contract/operations/teams.ts";
import { DAY } from "../../lib/clock.ts";
import { NOBODY } from "../client.ts";
import { browserOf } from "../world.ts";
import { invite, PASSWORD, tokenIn } from "../people.ts";
import { BAD_EMAIL, BAD_ID, BAD_ID_IN_PATH, BAD_PASSWORD, BAD_ROLE, BAD_SECRET, badLine, badText, orNull, type Case } from "./case.ts";

let drawn = 0;
const newName = (): string => `newcomer ${++drawn}`;

export const listTeams: Case = {
  as: ({ member }) => member,
  good: () => ({}),
  happy: ({ answer, cast }) => expect(answer.data).toEqual([expect.objectContaining({ id: cast.home.team, name: "Northwind", role: "member" })]),
  bad: {},
  foreign: [],
  edge: {
    "an empty body counts as none": async ({ world, owner }) => expect((await world.call(owner, teams.listTeams, { body: {} })).answer.data).toHaveLength(2),
  },
};

export const listFileStatuses: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({ body: { team_id: home.team } }),
  happy: ({ answer }) => expect(answer.data.map((one: { title: string }) => one.title)).toEqual(["In progress", "In review", "Changes requested", "Approved"]),
  bad: { "body.team_id": BAD_ID },
  foreign: [
    ["another team of the organisation", ({ apart }) => ({ body: { team_id: apart.team } }), 404],
    ["a team of another organisation", ({ foreign }) => ({ body: { team_id: foreign.team } }), 404],
  ],
  edge: {},
};

export const inviteMember: Case = {
  as: ({ admin }) => admin,
  good: ({ home }) => ({ body: { team_id: home.team, role: "guest", project_ids: [home.project], email: "mix@talkback.test" } }),
  happy: ({ data, cast }) => {
    expect(data.url).toMatch(/^http:\/\/talkback\.test:3000\/invite#[\w-]{43}$/);
    expect(Date.parse(data.expires_at)).toBe(cast.world.clock.now() + 7 * DAY);
  },
  bad: {
    "body.team_id": BAD_ID,
    "body.role": BAD_ROLE,
    "body.project_ids": [5, null, "1", ["1"], [0], [], Array.from({ length: 201 }, (_, index) => index + 1)],
    "body.email": orNull(BAD_EMAIL),
  },
  foreign: [
    ["a team of another organisation", ({ foreign }) => ({ body: { team_id: foreign.team, role: "member" } }), 404],
    [
      "a project of another organisation",
      ({ home, foreign }) => ({ body: { team_id: home.team, role: "guest", project_ids: [home.project, foreign.project] } }),
      400,
    ],
    ["a project of another team", ({ home, apart }) => ({ body: { team_id: home.team, role: "guest", project_ids: [apart.project] } }), 400],
  ],
  edge: {
    "an admin makes no owner": async ({ world, admin, home }) =>
      expect((await world.call(admin, teams.inviteMember, { body: { team_id: home.team, role: "owner" } })).status).toBe(403),
    "a guest without a project would see nothing": async ({ world, owner, home }) =>
      expect((await world.call(owner, teams.inviteMember, { body: { team_id: home.team, role: "guest" } })).status).toBe(400),
  },
};

export const listInvites: Case = {
  as: ({ admin }) => admin,
  good: () => ({}),
  happy: ({ answer, cast }) => {
    expect(answer.object).toBe("list");
    expect(answer.data.every((one: { team_id: number }) => one.team_id !== cast.foreign.team)).toBe(true);
  },
  bad: {},
  foreign: [],
  edge: {
    "never shows the link": async ({ world, owner, home }) => {
      const token = await invite(world, owner, { team: home.team, role: "member" });
      expect((await world.call(owner, teams.listInvites)).text).not.toContain(token);
    },
  },
};

const openInvite = async (cast: Parameters<Case["good"]>[0], by = cast.owner, team = cast.home.team): Promise<number> => {
  await invite(cast.world, by, { team, role: "member" });
  const [newest] = (await cast.world.call(by, teams.listInvites)).answer.data;
  return newest?.id ?? 0;
};

export const revokeInvite: Case = {
  as: ({ admin }) => admin,
  good: async (cast) => ({ params: { invite_id: await openInvite(cast) } }),
  happy: async ({ given, cast: { world, owner } }) => {
    const open = (await world.call(owner, teams.listInvites)).answer.data;
    expect(open.map(({ id }) => id)).not.toContain(given.params?.["invite_id"]);
  },
  bad: { "params.invite_id": BAD_ID_IN_PATH },
  foreign: [
    ["an invite of another organisation", async (cast) => ({ params: { invite_id: await openInvite(cast, cast.foreignOwner, cast.foreign.team) } }), 404],
  ],
  edge: {
    "a second time there is nothing to withdraw": async (cast) => {
      const params = { invite_id: await openInvite(cast) };
      expect((await cast.world.call(cast.owner, teams.revokeInvite, { params })).status).toBe(204);
      expect((await cast.world.call(cast.owner, teams.revokeInvite, { params })).status).toBe(404);
    },
  },
};

export const previewInvite: Case = {
  as: () => NOBODY,
  good: async ({ world, owner, home }) => ({ body: { token: await invite(world, owner, { team: home.team, role: "guest", projects: [home.project] }) } }),
  happy: ({ data }) => expect(data).toMatchObject({ organisation: "Northwind", invited_by: "owner", role: "guest", projects: ["home"], email: null }),
  bad: { "body.token": BAD_SECRET },
  foreign: [["a link that nobody made", () => ({ body: { token: "x".repeat(43) } }), 404]],
  edge: {},
};

export const acceptInvite: Case = {
  as: () => NOBODY,
  good: async ({ world, owner, home }) => {
    const name = newName();
    const token = await invite(world, owner, { team: home.team, role: "guest", projects: [home.project] });
    return { body: { token, username: name, email: `${name.replace(" ", "-")}@talkback.test`, password: PASSWORD } };
  },
  happy: ({ data, given, cast }) => {
    expect(data).toMatchObject({ role: "guest", authorized_by: "session", organisation: { name: "Northwind" } });
    expect(data.account.username).toBe((given.body as { username: string }).username);
    expect(data.account.id).toBeGreaterThan(cast.foreignGuest.id);
  },
  bad: {
    "body.token": BAD_SECRET,
    "body.username": [...badLine(60), "owner", " OWNER ", "ｏｗｎｅｒ", "a@b.test"],
    "body.email": [...BAD_EMAIL, "Owner@talkback.test"],
    "body.password": BAD_PASSWORD,
  },
  foreign: [["a link that nobody made", () => ({ body: { token: "x".repeat(43), username: "x y z", email: "x@y.test", password: PASSWORD } }), 404]],
  edge: {
    "an invite for one address is not for another": async ({ world, owner, home }) => {
      const reply = await world.call(owner, teams.inviteMember, { body: { team_id: home.team, role: "member", email: "Meant@talkback.test" } });
      const body = { token: tokenIn(reply.answer.data.url ?? ""), username: newName(), password: PASSWORD };
      expect((await world.call(NOBODY, teams.acceptInvite, { body: { ...body, email: "other@talkback.test" } })).problem.errors?.[0]?.path).toBe("email");
      const joined = await world.call(NOBODY, teams.acceptInvite, { body: { ...body, email: "meant@talkback.test" } });
      expect((await world.call(browserOf("joined", joined), session.getSession)).answer.data.role).toBe("member");
    },
  },
};

export const listGroups: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({ body: { team_id: home.team } }),
  happy: ({ answer, cast }) => expect(answer.data.map((one: { id: number }) => one.id)).toEqual([cast.home.group]),
  bad: { "body.team_id": BAD_ID },
  foreign: [
    ["another team of the organisation", ({ apart }) => ({ body: { team_id: apart.team } }), 404],
    ["a team of another organisation", ({ foreign }) => ({ body: { team_id: foreign.team } }), 404],
  ],
  edge: {
    "a member sees all groups of the team": async ({ world, member, home, next }) => {
      const ids = (await world.call(member, teams.listGroups, { body: { team_id: home.team } })).answer.data.map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining([home.group, next.group]));
    },
  },
};

export const getGroup: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({ body: { group_id: home.group } }),
  happy: ({ data, cast }) => expect(data).toEqual({ id: cast.home.group, name: "home group", description: "", team_id: cast.home.team }),
  bad: { "body.group_id": BAD_ID },
  foreign: [
    ["a group with nothing of theirs", ({ next }) => ({ body: { group_id: next.group } }), 404],
    ["a group of another organisation", ({ foreign }) => ({ body: { group_id: foreign.group } }), 404],
  ],
  edge: {},
};

export const createGroup: Case = {
  as: ({ member }) => member,
  good: ({ home }) => ({ body: { team_id: home.team, name: " Singles ", description: "One song each" } }),
  happy: ({ data, cast }) => expect(data).toMatchObject({ name: "Singles", description: "One song each", team_id: cast.home.team }),
  bad: { "body.team_id": BAD_ID, "body.name": badLine(120), "body.description": badText(2_000) },
  foreign: [
    ["another team of the organisation", ({ apart }) => ({ body: { team_id: apart.team, name: "x" } }), 404],
    ["a team of another organisation", ({ foreign }) => ({ body: { team_id: foreign.team, name: "x" } }), 404],
  ],
  edge: {
    "a guest may not": async ({ world, guest, home }) =>
      expect((await world.call(guest, teams.createGroup, { body: { team_id: home.team, name: "x" } })).status).toBe(403),
  },
};
