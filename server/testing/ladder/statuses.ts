import { expect } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as statuses from "../../../contract/operations/statuses.ts";
import { listFileStatuses } from "../../../contract/operations/teams.ts";
import type { Cast } from "../cast.ts";
import type { Wild } from "../client.ts";
import { BAD_ID, BAD_ID_IN_PATH, badLine, orNull, type Case } from "./case.ts";
import { fresh } from "./files.ts";

let drawn = 0;
/** A status that no file has; a team has no more than it may: those of earlier cases go. */
async function made({ world, home }: Cast, team = home.team): Promise<number> {
  const title = `Ladder ${++drawn}`;
  await room({ world }, team);
  const values = { team_id: team, title, title_key: title.toLowerCase(), color: 3, position: 100 + drawn };
  return (await world.database.write((tx) => tx.insertInto("file_statuses").values(values).returning("id").executeTakeFirstOrThrow())).id;
}
const room = ({ world }: Pick<Cast, "world">, team: number) =>
  world.database.write((tx) => tx.updateTable("file_statuses").set({ deleted_at: 1 }).where("team_id", "=", team).where("title", "like", "Ladder%").execute());
const idsOf = async ({ world, owner, home }: Cast): Promise<number[]> =>
  (await world.call(owner, listFileStatuses, { body: { team_id: home.team } })).answer.data.map(({ id }) => id);

const BAD_TITLE = badLine(40);
const BAD_COLOR = [-1, 12, 1.5, "1", null, true];
const ofTeam = (more: (cast: Cast) => Wild | Promise<Wild>): Case["foreign"] => [
  ["a team of another organisation", async (cast) => ({ ...(await more(cast)), params: { team_id: cast.foreign.team } }), 404],
  ["a team that does not exist", async (cast) => ({ ...(await more(cast)), params: { team_id: 999_999 } }), 404],
];
const oneOf = (more: Wild): Case["foreign"] => [
  ["a status of another organisation", async (cast) => ({ ...more, params: { status_id: await made(cast, cast.foreign.team) } }), 404],
  [
    "a status that was deleted",
    async (cast) => {
      const status_id = await made(cast);
      await room(cast, cast.home.team);
      return { ...more, params: { status_id } };
    },
    404,
  ],
];

export const createFileStatus: Case = {
  as: ({ admin }) => admin,
  good: async (cast) => {
    await room(cast, cast.home.team);
    return { params: { team_id: cast.home.team }, body: { title: `Ladder ${++drawn}`, color: 0 } };
  },
  happy: ({ data, given }) => expect(data).toMatchObject({ title: (given.body as { title: string }).title, color: 0, position: expect.any(Number) }),
  bad: { "params.team_id": BAD_ID_IN_PATH, "body.title": [...BAD_TITLE, "APPROVED", " in review "], "body.color": BAD_COLOR },
  foreign: ofTeam(() => ({ body: { title: "Theirs", color: 1 } })),
  edge: {
    "at most fifteen": async (cast) => {
      const { world, admin, home } = cast;
      await room(cast, cast.home.team);
      const add = () => world.call(admin, statuses.createFileStatus, { params: { team_id: home.team }, body: { title: `Ladder ${++drawn}`, color: 1 } });
      for (let count = (await idsOf(cast)).length; count < 15; count += 1) expect((await add()).status).toBe(200);
      expect((await add()).status).toBe(409);
    },
  },
};

export const updateFileStatus: Case = {
  as: ({ admin }) => admin,
  good: async (cast) => ({ params: { status_id: await made(cast) }, body: { title: `Ladder ${++drawn}`, color: 11 } }),
  happy: ({ data, given }) => expect(data).toMatchObject({ title: (given.body as { title: string }).title, color: 11 }),
  bad: { "params.status_id": BAD_ID_IN_PATH, "body.title": [...BAD_TITLE, "approved"], "body.color": BAD_COLOR },
  foreign: oneOf({ body: { color: 1 } }),
  edge: {
    "its own title in another case is no other": async (cast) => {
      const status_id = await made(cast);
      const title = `LADDER ${drawn}`;
      expect((await cast.world.call(cast.admin, statuses.updateFileStatus, { params: { status_id }, body: { title } })).answer.data.title).toBe(title);
    },
  },
};

export const orderFileStatuses: Case = {
  as: ({ admin }) => admin,
  good: async (cast) => ({ params: { team_id: cast.home.team }, body: { ids: (await idsOf(cast)).toReversed() } }),
  happy: ({ answer, given }) => {
    const { ids } = given.body as { ids: number[] };
    expect(answer.data.map(({ id, position }: { id: number; position: number }) => [id, position])).toEqual(ids.map((id, index) => [id, index + 1]));
  },
  bad: { "params.team_id": BAD_ID_IN_PATH, "body.ids": [null, "1", [], [1, 1], [999_999], [0], ["1"], Array.from({ length: 16 }, (_, index) => index + 1)] },
  foreign: [
    ...ofTeam(() => ({ body: { ids: [] } })),
    ["not all of them", async (cast) => ({ params: { team_id: cast.home.team }, body: { ids: (await idsOf(cast)).slice(1) } }), 409],
  ],
  edge: {
    "as they were again": async (cast) => {
      const { world, admin, home } = cast;
      const ids = (await idsOf(cast)).toReversed();
      expect((await world.call(admin, statuses.orderFileStatuses, { params: { team_id: home.team }, body: { ids } })).status).toBe(200);
    },
  },
};

export const deleteFileStatus: Case = {
  as: ({ admin }) => admin,
  good: async (cast) => ({ params: { status_id: await made(cast) } }),
  happy: ({ answer, given }) => expect(answer.data.map(({ id }: { id: number }) => id)).not.toContain(Number(given.params?.["status_id"])),
  bad: { "params.status_id": BAD_ID_IN_PATH, "query.replacement_id": BAD_ID_IN_PATH },
  foreign: [
    ...oneOf({}),
    [
      "a replacement of another organisation",
      async (cast) => ({ params: { status_id: await made(cast) }, query: { replacement_id: await made(cast, cast.foreign.team) } }),
      400,
    ],
    [
      "itself as its replacement",
      async (cast) => {
        const status_id = await made(cast);
        return { params: { status_id }, query: { replacement_id: status_id } };
      },
      400,
    ],
    [
      "one that files have, without a replacement",
      async (cast) => {
        const status_id = await made(cast);
        await cast.world.call(cast.member, files.setFileStatus, { body: { file_id: await fresh(cast), status_id } });
        return { params: { status_id } };
      },
      409,
    ],
  ],
  edge: {},
};

export const getFileStatusUsage: Case = {
  as: ({ admin }) => admin,
  good: async (cast) => {
    const status_id = await made(cast);
    await cast.world.call(cast.member, files.setFileStatus, { body: { file_id: await fresh(cast), status_id } });
    return { params: { status_id } };
  },
  happy: ({ data }) => expect(data.file_count).toBe(1),
  bad: { "params.status_id": BAD_ID_IN_PATH },
  foreign: oneOf({}),
  edge: {},
};

export const setDefaultFileStatus: Case = {
  as: ({ admin }) => admin,
  good: async (cast) => ({ params: { team_id: cast.home.team }, body: { status_id: await made(cast) } }),
  happy: async ({ answer, given, cast }) => {
    expect(answer.default_status_id).toBe((given.body as { status_id: number }).status_id);
    await none(cast);
  },
  bad: { "params.team_id": BAD_ID_IN_PATH, "body.status_id": orNull([...BAD_ID, 999_999]) },
  foreign: [
    ...ofTeam(() => ({ body: { status_id: null } })),
    [
      "a status of another organisation",
      async (cast) => ({ params: { team_id: cast.home.team }, body: { status_id: await made(cast, cast.foreign.team) } }),
      400,
    ],
  ],
  edge: {
    none: async (cast) => {
      expect((await none(cast)).answer.default_status_id).toBeNull();
    },
  },
};
const none = ({ world, admin, home }: Cast) => world.call(admin, statuses.setDefaultFileStatus, { params: { team_id: home.team }, body: { status_id: null } });
