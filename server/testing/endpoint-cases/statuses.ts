import { expect } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as statuses from "../../../contract/operations/statuses.ts";
import { listFileStatuses } from "../../../contract/operations/teams.ts";
import type { UntypedInput } from "../client.ts";
import type { Fixtures } from "../fixtures.ts";
import { BAD_ID, BAD_ID_IN_PATH, badLine, withoutNull, type EndpointCase } from "./case.ts";
import { createFile } from "./helpers.ts";

let counter = 0;
/** Creates a status that no file uses, after deleting those of earlier cases because of the limit per team. */
async function createStatus({ testApp, home }: Fixtures, team = home.team): Promise<number> {
  const title = `Case ${++counter}`;
  await deleteTestStatuses({ testApp }, team);
  const values = { team_id: team, title, title_key: title.toLowerCase(), color: 3, position: 100 + counter };
  return (await testApp.database.write((tx) => tx.insertInto("file_statuses").values(values).returning("id").executeTakeFirstOrThrow())).id;
}
const deleteTestStatuses = ({ testApp }: Pick<Fixtures, "testApp">, team: number) =>
  testApp.database.write((tx) => tx.updateTable("file_statuses").set({ deleted_at: 1 }).where("team_id", "=", team).where("title", "like", "Case%").execute());
const listStatusIds = async ({ testApp, owner, home }: Fixtures): Promise<number[]> =>
  (await testApp.call(owner, listFileStatuses, { body: { team_id: home.team } })).response.data.map(({ id }) => id);

const BAD_TITLE = badLine(40);
const BAD_FLAG = [null, 0, 1, "true", {}];
const BAD_COLOR = [-1, 12, 1.5, "1", null, true];
const inaccessibleTeams = (createInput: (fixtures: Fixtures) => UntypedInput | Promise<UntypedInput>): EndpointCase["rejectedRequests"] => [
  ["a team of another organization", async (fixtures) => ({ ...(await createInput(fixtures)), params: { team_id: fixtures.foreign.team } }), 404],
  ["a team that does not exist", async (fixtures) => ({ ...(await createInput(fixtures)), params: { team_id: 999_999 } }), 404],
];
const inaccessibleStatuses = (overrides: UntypedInput): EndpointCase["rejectedRequests"] => [
  ["a status of another organization", async (fixtures) => ({ ...overrides, params: { status_id: await createStatus(fixtures, fixtures.foreign.team) } }), 404],
  [
    "a deleted status",
    async (fixtures) => {
      const status_id = await createStatus(fixtures);
      await deleteTestStatuses(fixtures, fixtures.home.team);
      return { ...overrides, params: { status_id } };
    },
    404,
  ],
];

export const createFileStatus: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async (fixtures) => {
    await deleteTestStatuses(fixtures, fixtures.home.team);
    return { params: { team_id: fixtures.home.team }, body: { title: `Case ${++counter}`, color: 0 } };
  },
  assertResponse: ({ data, input }) =>
    expect(data).toMatchObject({ title: (input.body as { title: string }).title, color: 0, position: expect.any(Number), is_final: false }),
  invalid: { "params.team_id": BAD_ID_IN_PATH, "body.title": [...BAD_TITLE, "APPROVED", " in review "], "body.color": BAD_COLOR, "body.is_final": BAD_FLAG },
  rejectedRequests: inaccessibleTeams(() => ({ body: { title: "Theirs", color: 1 } })),
  edgeCases: {
    "allows at most fifteen statuses": async (fixtures) => {
      const { testApp, admin, home } = fixtures;
      await deleteTestStatuses(fixtures, fixtures.home.team);
      const add = () => testApp.call(admin, statuses.createFileStatus, { params: { team_id: home.team }, body: { title: `Case ${++counter}`, color: 1 } });
      for (let count = (await listStatusIds(fixtures)).length; count < 15; count += 1) expect((await add()).status).toBe(200);
      expect((await add()).status).toBe(409);
    },
  },
};

export const updateFileStatus: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async (fixtures) => ({ params: { status_id: await createStatus(fixtures) }, body: { title: `Case ${++counter}`, color: 11, is_final: true } }),
  assertResponse: ({ data, input }) => expect(data).toMatchObject({ title: (input.body as { title: string }).title, color: 11, is_final: true }),
  invalid: { "params.status_id": BAD_ID_IN_PATH, "body.title": [...BAD_TITLE, "approved"], "body.color": BAD_COLOR, "body.is_final": BAD_FLAG },
  rejectedRequests: inaccessibleStatuses({ body: { color: 1 } }),
  edgeCases: {
    "accepts the current title in another case": async (fixtures) => {
      const status_id = await createStatus(fixtures);
      const title = `CASE ${counter}`;
      expect((await fixtures.testApp.call(fixtures.admin, statuses.updateFileStatus, { params: { status_id }, body: { title } })).response.data.title).toBe(
        title,
      );
    },
  },
};

export const orderFileStatuses: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async (fixtures) => ({ params: { team_id: fixtures.home.team }, body: { ids: (await listStatusIds(fixtures)).toReversed() } }),
  assertResponse: ({ response, input }) => {
    const { ids } = input.body as { ids: number[] };
    expect(response.data.map(({ id, position }: { id: number; position: number }) => [id, position])).toEqual(ids.map((id, index) => [id, index + 1]));
  },
  invalid: {
    "params.team_id": BAD_ID_IN_PATH,
    "body.ids": [null, "1", [], [1, 1], [999_999], [0], ["1"], Array.from({ length: 16 }, (_, index) => index + 1)],
  },
  rejectedRequests: [
    ...inaccessibleTeams(() => ({ body: { ids: [] } })),
    [
      "a list with a status that was just deleted",
      async (fixtures) => {
        const id = await createStatus(fixtures);
        await deleteTestStatuses(fixtures, fixtures.home.team);
        return { params: { team_id: fixtures.home.team }, body: { ids: [...(await listStatusIds(fixtures)), id] } };
      },
      409,
    ],
    [
      "a status of another organization",
      async (fixtures) => ({
        params: { team_id: fixtures.home.team },
        body: { ids: [...(await listStatusIds(fixtures)), await createStatus(fixtures, fixtures.foreign.team)] },
      }),
      400,
    ],
    ["an incomplete list", async (fixtures) => ({ params: { team_id: fixtures.home.team }, body: { ids: (await listStatusIds(fixtures)).slice(1) } }), 409],
  ],
  edgeCases: {
    "accepts the reversed order": async (fixtures) => {
      const { testApp, admin, home } = fixtures;
      const ids = (await listStatusIds(fixtures)).toReversed();
      expect((await testApp.call(admin, statuses.orderFileStatuses, { params: { team_id: home.team }, body: { ids } })).status).toBe(200);
    },
  },
};

export const deleteFileStatus: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async (fixtures) => ({ params: { status_id: await createStatus(fixtures) } }),
  assertResponse: ({ response, input }) => expect(response.data.map(({ id }: { id: number }) => id)).not.toContain(Number(input.params?.["status_id"])),
  invalid: { "params.status_id": BAD_ID_IN_PATH, "query.replacement_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ...inaccessibleStatuses({}),
    [
      "a replacement of another organization",
      async (fixtures) => ({
        params: { status_id: await createStatus(fixtures) },
        query: { replacement_id: await createStatus(fixtures, fixtures.foreign.team) },
      }),
      400,
    ],
    [
      "itself as its replacement",
      async (fixtures) => {
        const status_id = await createStatus(fixtures);
        return { params: { status_id }, query: { replacement_id: status_id } };
      },
      400,
    ],
    [
      "a status that files have, without a replacement",
      async (fixtures) => {
        const status_id = await createStatus(fixtures);
        await fixtures.testApp.call(fixtures.member, files.setFileStatus, { body: { file_id: await createFile(fixtures), status_id } });
        return { params: { status_id } };
      },
      409,
    ],
  ],
  edgeCases: {},
};

export const getFileStatusUsage: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async (fixtures) => {
    const status_id = await createStatus(fixtures);
    await fixtures.testApp.call(fixtures.member, files.setFileStatus, { body: { file_id: await createFile(fixtures), status_id } });
    return { params: { status_id } };
  },
  assertResponse: ({ data }) => expect(data.file_count).toBe(1),
  invalid: { "params.status_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleStatuses({}),
  edgeCases: {},
};

export const setDefaultFileStatus: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: async (fixtures) => ({ params: { team_id: fixtures.home.team }, body: { status_id: await createStatus(fixtures) } }),
  assertResponse: async ({ response, input, fixtures }) => {
    expect(response.default_status_id).toBe((input.body as { status_id: number }).status_id);
    await clearDefaultStatus(fixtures);
  },
  invalid: { "params.team_id": BAD_ID_IN_PATH, "body.status_id": withoutNull([...BAD_ID, 999_999]) },
  rejectedRequests: [
    ...inaccessibleTeams(() => ({ body: { status_id: null } })),
    [
      "a status of another organization",
      async (fixtures) => ({ params: { team_id: fixtures.home.team }, body: { status_id: await createStatus(fixtures, fixtures.foreign.team) } }),
      400,
    ],
  ],
  edgeCases: {
    "null removes the default": async (fixtures) => {
      expect((await clearDefaultStatus(fixtures)).response.default_status_id).toBeNull();
    },
  },
};
const clearDefaultStatus = ({ testApp, admin, home }: Fixtures) =>
  testApp.call(admin, statuses.setDefaultFileStatus, { params: { team_id: home.team }, body: { status_id: null } });

const setVersionReset = ({ testApp, admin, home }: Fixtures, new_version_resets_status: boolean) =>
  testApp.call(admin, statuses.updateTeam, { params: { team_id: home.team }, body: { new_version_resets_status } });

export const updateTeam: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: ({ home }) => ({ params: { team_id: home.team }, body: { new_version_resets_status: false } }),
  assertResponse: async ({ data, fixtures }) => {
    expect(data).toMatchObject({ id: fixtures.home.team, new_version_resets_status: false });
    await setVersionReset(fixtures, true);
  },
  invalid: { "params.team_id": BAD_ID_IN_PATH, "body.new_version_resets_status": BAD_FLAG },
  rejectedRequests: inaccessibleTeams(() => ({ body: { new_version_resets_status: false } })),
  edgeCases: {
    "an empty body changes nothing": async (fixtures) => {
      const { testApp, admin, home } = fixtures;
      const { response } = await testApp.call(admin, statuses.updateTeam, { params: { team_id: home.team }, body: {} });
      expect(response.data.new_version_resets_status).toBe(true);
    },
  },
};
