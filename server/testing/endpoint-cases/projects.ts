import { expect } from "vitest";
import * as projects from "../../../contract/operations/projects.ts";
import { BAD_ID, BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, BAD_PAGE_IN_BODY, badLine, badText, withoutNull, type EndpointCase } from "./case.ts";

export const getProject: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ body: { project_id: home.project } }),
  assertResponse: ({ data, fixtures }) =>
    expect(data).toMatchObject({
      id: fixtures.home.project,
      name: "home",
      team_id: fixtures.home.team,
      group_id: fixtures.home.group,
      role: "guest",
      root_folder_id: fixtures.home.root,
    }),
  invalid: { "body.project_id": BAD_ID },
  rejectedRequests: [
    ["another project of the same team", ({ next }) => ({ body: { project_id: next.project } }), 404],
    ["a project of another organization", ({ foreign }) => ({ body: { project_id: foreign.project } }), 404],
  ],
  edgeCases: {
    "an admin can see a project without being a member": async ({ testApp, admin, apart }) => {
      expect((await testApp.call(admin, projects.getProject, { body: { project_id: apart.project } })).response.data.name).toBe("apart");
    },
  },
};

export const createProject: EndpointCase = {
  caller: ({ member }) => member,
  valid: ({ home }) => ({ body: { name: "  Album  ", team_id: home.team, group_id: home.group, description: "Ten songs" } }),
  assertResponse: ({ data, fixtures }) =>
    expect(data).toMatchObject({
      name: "Album",
      description: "Ten songs",
      team_id: fixtures.home.team,
      group_id: fixtures.home.group,
      unread_count: 0,
      last_message_id: null,
      role: "member",
    }),
  invalid: { "body.name": badLine(120), "body.team_id": BAD_ID, "body.group_id": withoutNull(BAD_ID), "body.description": badText(2_000) },
  rejectedRequests: [
    ["another team of the organization", ({ apart }) => ({ body: { name: "x", team_id: apart.team } }), 404],
    ["a team of another organization", ({ foreign }) => ({ body: { name: "x", team_id: foreign.team } }), 404],
    ["a group of another team", ({ home, apart }) => ({ body: { name: "x", team_id: home.team, group_id: apart.group } }), 400],
    ["a group of another organization", ({ home, foreign }) => ({ body: { name: "x", team_id: home.team, group_id: foreign.group } }), 400],
  ],
  edgeCases: {
    "adds its creator as a member": async ({ testApp, member, home }) => {
      const { id } = (await testApp.call(member, projects.createProject, { body: { name: "Mine", team_id: home.team } })).response.data;
      const people = (await testApp.call(member, projects.listProjectMembers, { params: { project_id: id } })).response.data;
      expect(people.map((person) => person.id)).toEqual([member.id]);
    },
    "rejects a guest": async ({ testApp, guest, home }) => {
      expect((await testApp.call(guest, projects.createProject, { body: { name: "x", team_id: home.team } })).status).toBe(403);
    },
    "rejects a group of another team even for an owner": async ({ testApp, owner, home, apart }) => {
      expect((await testApp.call(owner, projects.createProject, { body: { name: "x", team_id: home.team, group_id: apart.group } })).status).toBe(400);
    },
  },
};

export const listProjectsByGroup: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ body: { group_id: home.group } }),
  assertResponse: ({ response, fixtures }) => expect(response.data.map((project: { id: number }) => project.id)).toEqual([fixtures.home.project]),
  invalid: { ...BAD_PAGE_IN_BODY, "body.group_id": BAD_ID },
  rejectedRequests: [
    ["a group without visible projects", ({ next }) => ({ body: { group_id: next.group } }), 404],
    ["a group of another organization", ({ foreign }) => ({ body: { group_id: foreign.group } }), 404],
  ],
  edgeCases: {
    "a member does not see groups of their team that have no project of theirs": async ({ testApp, member, next }) => {
      expect((await testApp.call(member, projects.listProjectsByGroup, { body: { group_id: next.group } })).status).toBe(404);
    },
  },
};

export const listProjectsWithoutGroup: EndpointCase = {
  caller: ({ member }) => member,
  valid: ({ home }) => ({ body: { team_id: home.team } }),
  assertResponse: ({ response }) => expect(response.data.every((project: { group_id: number | null }) => project.group_id === null)).toBe(true),
  invalid: { ...BAD_PAGE_IN_BODY, "body.team_id": BAD_ID },
  rejectedRequests: [
    ["another team of the organization", ({ apart }) => ({ body: { team_id: apart.team } }), 404],
    ["a team of another organization", ({ foreign }) => ({ body: { team_id: foreign.team } }), 404],
  ],
  edgeCases: {
    "lists projects without a group by name": async ({ testApp, owner, home }) => {
      for (const name of ["zebra", "Aardvark"]) await testApp.call(owner, projects.createProject, { body: { name, team_id: home.team } });
      const names = (await testApp.call(owner, projects.listProjectsWithoutGroup, { body: { team_id: home.team } })).response.data.map(({ name }) => name);
      expect(names.filter((name) => name === "zebra" || name === "Aardvark" || name === "home")).toEqual(["Aardvark", "zebra"]);
    },
  },
};

export const listProjects: EndpointCase = {
  caller: ({ guestNextDoor }) => guestNextDoor,
  valid: () => ({ query: { limit: 5 } }),
  assertResponse: ({ response, fixtures }) => {
    expect(response.data.map((project: { id: number }) => project.id)).toEqual([fixtures.next.project]);
    expect(response.next_cursor).toBeNull();
  },
  invalid: { "query.limit": BAD_LIMIT_IN_QUERY, "query.cursor": ["", "x", "%00", "x".repeat(201), Buffer.from("after:-1").toString("base64url")] },
  rejectedRequests: [],
  edgeCases: {
    "pages contain each project once and the last has no cursor": async ({ testApp, owner }) => {
      const seenIds: number[] = [];
      let cursor: string | null = null;
      do {
        const page: { data: { id: number }[]; next_cursor: string | null } = (
          await testApp.call(owner, projects.listProjects, { query: { limit: "2", ...(cursor ? { cursor } : {}) } })
        ).response;
        expect(page.data.length).toBeLessThanOrEqual(2);
        seenIds.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor;
      } while (cursor !== null);
      const allIds = (await testApp.call(owner, projects.listProjects, { query: { limit: "1000000000" } })).response.data.map(({ id }) => id);
      expect(seenIds).toEqual(allIds);
    },
  },
};

export const updateProject: EndpointCase = {
  caller: ({ member }) => member,
  valid: ({ home }) => ({ params: { project_id: home.project }, body: { description: "Mixes and notes", group_id: home.group, color: 3 } }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ name: "home", description: "Mixes and notes", color: 3, archived_at: null }),
  invalid: {
    "body.color": [-1, 12, 1.5, "3", true, {}],
    "body.archived": ["true", 1, null, {}],
    "params.project_id": BAD_ID_IN_PATH,
    "body.name": badLine(120),
    "body.description": badText(2_000),
    "body.group_id": withoutNull(BAD_ID),
  },
  rejectedRequests: [
    ["another project of the same team", ({ next }) => ({ params: { project_id: next.project }, body: { name: "x" } }), 404],
    ["a project of another organization", ({ foreign }) => ({ params: { project_id: foreign.project }, body: { name: "x" } }), 404],
    ["a move into a group of another team", ({ home, apart }) => ({ params: { project_id: home.project }, body: { group_id: apart.group } }), 400],
    ["a move into a group of another organization", ({ home, foreign }) => ({ params: { project_id: home.project }, body: { group_id: foreign.group } }), 400],
  ],
  edgeCases: {
    "null removes the group, and omitted members stay unchanged": async ({ testApp, owner, apart }) => {
      const params = { project_id: apart.project };
      expect((await testApp.call(owner, projects.updateProject, { params, body: { group_id: null } })).response.data).toMatchObject({
        group_id: null,
        name: "apart",
      });
      expect((await testApp.call(owner, projects.updateProject, { params, body: { group_id: apart.group } })).response.data.group_id).toBe(apart.group);
      expect((await testApp.call(owner, projects.updateProject, { params, body: {} })).response.data).toMatchObject({ group_id: apart.group, name: "apart" });
    },
  },
};

export const listProjectMembers: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ params: { project_id: home.project } }),
  assertResponse: ({ response }) =>
    expect(response.data.map((person: { username: string; role: string }) => `${person.username} ${person.role}`)).toEqual(
      expect.arrayContaining(["guest guest", "member member", "owner owner"]),
    ),
  invalid: { "query.cursor": ["x", ""], "query.limit": BAD_LIMIT_IN_QUERY, "params.project_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["another project of the same team", ({ next }) => ({ params: { project_id: next.project } }), 404],
    ["a project of another organization", ({ foreign }) => ({ params: { project_id: foreign.project } }), 404],
  ],
  edgeCases: {},
};

export const addProjectMember: EndpointCase = {
  caller: ({ member }) => member,
  valid: ({ home, admin }) => ({ params: { project_id: home.project }, body: { account_id: admin.id } }),
  assertResponse: ({ data, fixtures }) =>
    expect(data).toMatchObject({ id: fixtures.admin.id, role: "admin", added_at: new Date(fixtures.testApp.clock.now()).toISOString() }),
  invalid: { "params.project_id": BAD_ID_IN_PATH, "body.account_id": BAD_ID },
  rejectedRequests: [
    ["another project of the same team", ({ next, admin }) => ({ params: { project_id: next.project }, body: { account_id: admin.id } }), 404],
    ["a person of another organization", ({ home, foreignMember }) => ({ params: { project_id: home.project }, body: { account_id: foreignMember.id } }), 400],
    ["a project of another organization", ({ foreign, member }) => ({ params: { project_id: foreign.project }, body: { account_id: member.id } }), 404],
  ],
  edgeCases: {
    "adding a member again changes nothing and publishes no event": async ({ testApp, owner, home, member }) => {
      const before = await testApp.database.read.selectFrom("events").select("seq").execute();
      await testApp.call(owner, projects.addProjectMember, { params: { project_id: home.project }, body: { account_id: member.id } });
      expect(await testApp.database.read.selectFrom("events").select("seq").execute()).toHaveLength(before.length);
    },
  },
};

export const removeProjectMember: EndpointCase = {
  valid: async ({ testApp, owner, home, admin }) => {
    await testApp.call(owner, projects.addProjectMember, { params: { project_id: home.project }, body: { account_id: admin.id } });
    return { params: { project_id: home.project, account_id: admin.id } };
  },
  assertResponse: async ({ response, fixtures: { testApp, owner, home, admin } }) => {
    expect(response).toBeUndefined();
    const people = (await testApp.call(owner, projects.listProjectMembers, { params: { project_id: home.project } })).response.data;
    expect(people.map(({ id }) => id)).not.toContain(admin.id);
  },
  invalid: { "params.project_id": BAD_ID_IN_PATH, "params.account_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["a person of another organization", ({ home, foreignMember }) => ({ params: { project_id: home.project, account_id: foreignMember.id } }), 404],
    ["a person who is not a member", ({ home, neighbor }) => ({ params: { project_id: home.project, account_id: neighbor.id } }), 404],
    ["a project of another organization", ({ foreign, foreignMember }) => ({ params: { project_id: foreign.project, account_id: foreignMember.id } }), 404],
  ],
  edgeCases: {
    "a guest can leave and no longer sees the project": async ({ testApp, owner, guest, apart }) => {
      const params = { project_id: apart.project };
      await testApp.call(owner, projects.addProjectMember, { params, body: { account_id: guest.id } });
      expect((await testApp.call(guest, projects.getProject, { body: params })).status).toBe(200);
      expect((await testApp.call(guest, projects.removeProjectMember, { params: { ...params, account_id: guest.id } })).status).toBe(204);
      expect((await testApp.call(guest, projects.getProject, { body: params })).status).toBe(404);
    },
  },
};
