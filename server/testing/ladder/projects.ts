import { expect } from "vitest";
import * as projects from "../../../contract/operations/projects.ts";
import { BAD_ID, BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, badLine, badText, orNull, type Case } from "./case.ts";

export const getProject: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({ body: { project_id: home.project } }),
  happy: ({ data, cast }) =>
    expect(data).toMatchObject({
      id: cast.home.project,
      name: "home",
      team_id: cast.home.team,
      group_id: cast.home.group,
      role: "guest",
      root_folder_id: cast.home.root,
    }),
  bad: { "body.project_id": BAD_ID },
  foreign: [
    ["a project of the same team", ({ next }) => ({ body: { project_id: next.project } }), 404],
    ["a project of another organisation", ({ foreign }) => ({ body: { project_id: foreign.project } }), 404],
  ],
  edge: {
    "an admin sees a project without being in it": async ({ world, admin, apart }) => {
      expect((await world.call(admin, projects.getProject, { body: { project_id: apart.project } })).answer.data.name).toBe("apart");
    },
  },
};

export const createProject: Case = {
  as: ({ member }) => member,
  good: ({ home }) => ({ body: { name: "  Album  ", team_id: home.team, group_id: home.group, description: "Ten songs" } }),
  happy: ({ data, cast }) =>
    expect(data).toMatchObject({
      name: "Album",
      description: "Ten songs",
      team_id: cast.home.team,
      group_id: cast.home.group,
      unread_count: 0,
      last_message_id: null,
      role: "member",
    }),
  bad: { "body.name": badLine(120), "body.team_id": BAD_ID, "body.group_id": orNull(BAD_ID), "body.description": badText(2_000) },
  foreign: [
    ["another team of the organisation", ({ apart }) => ({ body: { name: "x", team_id: apart.team } }), 404],
    ["a team of another organisation", ({ foreign }) => ({ body: { name: "x", team_id: foreign.team } }), 404],
    ["a group of another team", ({ home, apart }) => ({ body: { name: "x", team_id: home.team, group_id: apart.group } }), 400],
    ["a group of another organisation", ({ home, foreign }) => ({ body: { name: "x", team_id: home.team, group_id: foreign.group } }), 400],
  ],
  edge: {
    "whoever creates it is in it": async ({ world, member, home }) => {
      const { id } = (await world.call(member, projects.createProject, { body: { name: "Mine", team_id: home.team } })).answer.data;
      const people = (await world.call(member, projects.listProjectMembers, { params: { project_id: id } })).answer.data;
      expect(people.map((one) => one.id)).toEqual([member.id]);
    },
    "a guest may not": async ({ world, guest, home }) => {
      expect((await world.call(guest, projects.createProject, { body: { name: "x", team_id: home.team } })).status).toBe(403);
    },
    "not even an owner puts a group of another team into it": async ({ world, owner, home, apart }) => {
      expect((await world.call(owner, projects.createProject, { body: { name: "x", team_id: home.team, group_id: apart.group } })).status).toBe(400);
    },
  },
};

export const projectsByGroup: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({ body: { group_id: home.group } }),
  happy: ({ answer, cast }) => expect(answer.data.map((one: { id: number }) => one.id)).toEqual([cast.home.project]),
  bad: { "body.group_id": BAD_ID },
  foreign: [
    ["a group with nothing of theirs", ({ next }) => ({ body: { group_id: next.group } }), 404],
    ["a group of another organisation", ({ foreign }) => ({ body: { group_id: foreign.group } }), 404],
  ],
  edge: {
    "a member sees the group of their team, but not the projects they are not in": async ({ world, member, next }) => {
      expect((await world.call(member, projects.projectsByGroup, { body: { group_id: next.group } })).answer.data).toEqual([]);
    },
  },
};

export const projectsWithoutGroup: Case = {
  as: ({ member }) => member,
  good: ({ home }) => ({ body: { team_id: home.team } }),
  happy: ({ answer }) => expect(answer.data.every((one: { group_id: number | null }) => one.group_id === null)).toBe(true),
  bad: { "body.team_id": BAD_ID },
  foreign: [
    ["another team of the organisation", ({ apart }) => ({ body: { team_id: apart.team } }), 404],
    ["a team of another organisation", ({ foreign }) => ({ body: { team_id: foreign.team } }), 404],
  ],
  edge: {
    "in order of name, without those in groups": async ({ world, owner, home }) => {
      for (const name of ["zebra", "Aardvark"]) await world.call(owner, projects.createProject, { body: { name, team_id: home.team } });
      const names = (await world.call(owner, projects.projectsWithoutGroup, { body: { team_id: home.team } })).answer.data.map(({ name }) => name);
      expect(names.filter((name) => name === "zebra" || name === "Aardvark" || name === "home")).toEqual(["Aardvark", "zebra"]);
    },
  },
};

export const listProjects: Case = {
  as: ({ guestNextDoor }) => guestNextDoor,
  good: () => ({ query: { limit: 5 } }),
  happy: ({ answer, cast }) => {
    expect(answer.data.map((one: { id: number }) => one.id)).toEqual([cast.next.project]);
    expect(answer.next_cursor).toBeNull();
  },
  bad: { "query.limit": BAD_LIMIT_IN_QUERY, "query.cursor": ["", "x", "%00", "x".repeat(201), Buffer.from("after:-1").toString("base64url")] },
  foreign: [],
  edge: {
    "pages give each project once; the last says so": async ({ world, owner }) => {
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const page: { data: { id: number }[]; next_cursor: string | null } = (
          await world.call(owner, projects.listProjects, { query: { limit: "2", ...(cursor ? { cursor } : {}) } })
        ).answer;
        expect(page.data.length).toBeLessThanOrEqual(2);
        seen.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor;
      } while (cursor !== null);
      const whole = (await world.call(owner, projects.listProjects, { query: { limit: "1000000000" } })).answer.data.map(({ id }) => id);
      expect(seen).toEqual(whole);
    },
  },
};

export const updateProject: Case = {
  as: ({ member }) => member,
  good: ({ home }) => ({ params: { project_id: home.project }, body: { description: "Mixes and notes", group_id: home.group } }),
  happy: ({ data }) => expect(data).toMatchObject({ name: "home", description: "Mixes and notes" }),
  bad: { "params.project_id": BAD_ID_IN_PATH, "body.name": badLine(120), "body.description": badText(2_000), "body.group_id": orNull(BAD_ID) },
  foreign: [
    ["a project of the same team", ({ next }) => ({ params: { project_id: next.project }, body: { name: "x" } }), 404],
    ["a project of another organisation", ({ foreign }) => ({ params: { project_id: foreign.project }, body: { name: "x" } }), 404],
    ["into a group of another team", ({ home, apart }) => ({ params: { project_id: home.project }, body: { group_id: apart.group } }), 400],
    ["into a group of another organisation", ({ home, foreign }) => ({ params: { project_id: home.project }, body: { group_id: foreign.group } }), 400],
  ],
  edge: {
    "null takes it out of its group; what is not named stays": async ({ world, owner, apart }) => {
      const params = { project_id: apart.project };
      expect((await world.call(owner, projects.updateProject, { params, body: { group_id: null } })).answer.data).toMatchObject({
        group_id: null,
        name: "apart",
      });
      expect((await world.call(owner, projects.updateProject, { params, body: { group_id: apart.group } })).answer.data.group_id).toBe(apart.group);
      expect((await world.call(owner, projects.updateProject, { params, body: {} })).answer.data).toMatchObject({ group_id: apart.group, name: "apart" });
    },
  },
};

export const listProjectMembers: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({ params: { project_id: home.project } }),
  happy: ({ answer }) =>
    expect(answer.data.map((one: { username: string; role: string }) => `${one.username} ${one.role}`)).toEqual(
      expect.arrayContaining(["guest guest", "member member", "owner owner"]),
    ),
  bad: { "params.project_id": BAD_ID_IN_PATH },
  foreign: [
    ["a project of the same team", ({ next }) => ({ params: { project_id: next.project } }), 404],
    ["a project of another organisation", ({ foreign }) => ({ params: { project_id: foreign.project } }), 404],
  ],
  edge: {},
};

export const addProjectMember: Case = {
  as: ({ member }) => member,
  good: ({ home, admin }) => ({ params: { project_id: home.project }, body: { account_id: admin.id } }),
  happy: ({ data, cast }) => expect(data).toMatchObject({ id: cast.admin.id, role: "admin", added_at: new Date(cast.world.clock.now()).toISOString() }),
  bad: { "params.project_id": BAD_ID_IN_PATH, "body.account_id": BAD_ID },
  foreign: [
    ["a project of the same team", ({ next, admin }) => ({ params: { project_id: next.project }, body: { account_id: admin.id } }), 404],
    ["a person of another organisation", ({ home, foreignMember }) => ({ params: { project_id: home.project }, body: { account_id: foreignMember.id } }), 400],
    ["a project of another organisation", ({ foreign, member }) => ({ params: { project_id: foreign.project }, body: { account_id: member.id } }), 404],
  ],
  edge: {
    "adding again changes nothing, and says nothing new": async ({ world, owner, home, member }) => {
      const before = await world.database.read.selectFrom("events").select("seq").execute();
      await world.call(owner, projects.addProjectMember, { params: { project_id: home.project }, body: { account_id: member.id } });
      expect(await world.database.read.selectFrom("events").select("seq").execute()).toHaveLength(before.length);
    },
  },
};

export const removeProjectMember: Case = {
  good: async ({ world, owner, home, admin }) => {
    await world.call(owner, projects.addProjectMember, { params: { project_id: home.project }, body: { account_id: admin.id } });
    return { params: { project_id: home.project, account_id: admin.id } };
  },
  happy: async ({ answer, cast: { world, owner, home, admin } }) => {
    expect(answer).toBeUndefined();
    const people = (await world.call(owner, projects.listProjectMembers, { params: { project_id: home.project } })).answer.data;
    expect(people.map(({ id }) => id)).not.toContain(admin.id);
  },
  bad: { "params.project_id": BAD_ID_IN_PATH, "params.account_id": BAD_ID_IN_PATH },
  foreign: [
    ["a person of another organisation", ({ home, foreignMember }) => ({ params: { project_id: home.project, account_id: foreignMember.id } }), 404],
    ["somebody who is not in it", ({ home, neighbour }) => ({ params: { project_id: home.project, account_id: neighbour.id } }), 404],
    ["a project of another organisation", ({ foreign, foreignMember }) => ({ params: { project_id: foreign.project, account_id: foreignMember.id } }), 404],
  ],
  edge: {
    "a guest may leave, and sees nothing of it from then on": async ({ world, owner, guest, apart }) => {
      const params = { project_id: apart.project };
      await world.call(owner, projects.addProjectMember, { params, body: { account_id: guest.id } });
      expect((await world.call(guest, projects.getProject, { body: params })).status).toBe(200);
      expect((await world.call(guest, projects.removeProjectMember, { params: { ...params, account_id: guest.id } })).status).toBe(204);
      expect((await world.call(guest, projects.getProject, { body: params })).status).toBe(404);
    },
  },
};
