/** Endpoint cases of deleting and restoring projects, and of changing groups. */
import { expect } from "vitest";
import * as deletion from "../../../contract/operations/deleted-projects.ts";
import * as projects from "../../../contract/operations/projects.ts";
import * as teams from "../../../contract/operations/teams.ts";
import { DAY, MINUTE } from "../../lib/clock.ts";
import type { Fixtures } from "../fixtures.ts";
import { BAD_ID_IN_PATH, badLine, badText, type EndpointCase } from "./case.ts";

let counter = 0;
const BAD_COLOR = [-1, 12, 1.5, "3", true, {}];

async function createOwn({ testApp, member, home }: Fixtures): Promise<number> {
  return (await testApp.call(member, projects.createProject, { body: { name: `Shelved ${++counter}`, team_id: home.team } })).response.data.id;
}
async function deleteOwn(fixtures: Fixtures): Promise<number> {
  const project_id = await createOwn(fixtures);
  await fixtures.testApp.call(fixtures.member, deletion.deleteProject, { params: { project_id } });
  return project_id;
}
const createOwnGroup = async ({ testApp, member, home }: Fixtures): Promise<number> =>
  (await testApp.call(member, teams.createGroup, { body: { name: `Shelf ${++counter}`, team_id: home.team } })).response.data.id;

export const deleteProject: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ params: { project_id: await createOwn(fixtures) } }),
  assertResponse: ({ data, fixtures: { testApp, member } }) => {
    const now = testApp.clock.now();
    expect(data).toMatchObject({ deleted_by_account_id: member.id, file_count: 0, deleted_at: new Date(now).toISOString() });
    expect(data.restorable_until).toBe(new Date(now + 30 * DAY - MINUTE).toISOString());
  },
  invalid: { "params.project_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["another project of the same team", ({ next }) => ({ params: { project_id: next.project } }), 404],
    ["a project that somebody else created", ({ home }) => ({ params: { project_id: home.project } }), 403],
    ["a project of another organization", ({ foreign }) => ({ params: { project_id: foreign.project } }), 404],
  ],
  edgeCases: {
    "a second time finds nothing": async (fixtures) => {
      const params = { project_id: await deleteOwn(fixtures) };
      expect((await fixtures.testApp.call(fixtures.member, deletion.deleteProject, { params })).status).toBe(404);
    },
  },
};

export const listDeletedProjects: EndpointCase = {
  caller: ({ member }) => member,
  valid: () => ({}),
  assertResponse: ({ response, fixtures: { member } }) =>
    expect(response.data.every((project: { deleted_by_account_id: number }) => project.deleted_by_account_id === member.id)).toBe(true),
  invalid: {},
  rejectedRequests: [],
  edgeCases: {
    "the newest comes first, and other people's only to owners and admins": async (fixtures) => {
      const { testApp, member, admin, neighbor } = fixtures;
      const ids = [await deleteOwn(fixtures), await deleteOwn(fixtures)];
      for (const caller of [member, admin]) {
        const { data } = (await testApp.call(caller, deletion.listDeletedProjects)).response;
        expect(data.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids.toReversed());
      }
      expect((await testApp.call(neighbor, deletion.listDeletedProjects)).response.data).toEqual([]);
    },
  },
};

export const restoreProject: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ params: { project_id: await deleteOwn(fixtures) } }),
  assertResponse: ({ data, input }) => expect(data).toMatchObject({ id: (input.params as { project_id: number }).project_id, archived_at: null }),
  invalid: { "params.project_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["a project that is not deleted", ({ home }) => ({ params: { project_id: home.project } }), 404],
    ["a project of another organization", ({ foreign }) => ({ params: { project_id: foreign.project } }), 404],
  ],
  edgeCases: {},
};

export const updateGroup: EndpointCase = {
  caller: ({ member }) => member,
  valid: ({ home }) => ({ params: { group_id: home.group }, body: { description: "All of it", color: 4 } }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ name: "home group", description: "All of it", color: 4 }),
  invalid: { "params.group_id": BAD_ID_IN_PATH, "body.name": badLine(120), "body.description": badText(2_000), "body.color": BAD_COLOR },
  rejectedRequests: [
    ["a group without a visible project", ({ next }) => ({ params: { group_id: next.group }, body: { name: "x" } }), 404],
    ["a group of another organization", ({ foreign }) => ({ params: { group_id: foreign.group }, body: { name: "x" } }), 404],
    ["the name of another group", ({ home }) => ({ params: { group_id: home.group }, body: { name: "NEXT group" } }), 409],
  ],
  edgeCases: {
    "takes its own name in other letters": async ({ testApp, member, home }) => {
      const params = { group_id: home.group };
      for (const name of ["Home Group", "home group"])
        expect((await testApp.call(member, teams.updateGroup, { params, body: { name } })).response.data.name).toBe(name);
    },
  },
};

export const deleteGroup: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ params: { group_id: await createOwnGroup(fixtures) } }),
  assertResponse: async ({ input, fixtures: { testApp, owner } }) => {
    const { group_id } = input.params as { group_id: number };
    expect((await testApp.call(owner, teams.getGroup, { body: { group_id } })).status).toBe(404);
  },
  invalid: { "params.group_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["a group that somebody else created", ({ home }) => ({ params: { group_id: home.group } }), 403],
    ["a group without a visible project", ({ next }) => ({ params: { group_id: next.group } }), 404],
    ["a group of another organization", ({ foreign }) => ({ params: { group_id: foreign.group } }), 404],
  ],
  edgeCases: {
    "its projects stay, also those that the caller does not see": async (fixtures) => {
      const { testApp, member, owner, home } = fixtures;
      const group_id = await createOwnGroup(fixtures);
      const { id } = (await testApp.call(owner, projects.createProject, { body: { name: "Hidden", team_id: home.team, group_id } })).response.data;
      expect((await testApp.call(member, teams.deleteGroup, { params: { group_id } })).status).toBe(204);
      expect((await testApp.call(owner, projects.getProject, { body: { project_id: id } })).response.data.group_id).toBeNull();
    },
  },
};
