import { expect } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import { LIMITS } from "../../../contract/limits.ts";
import type { Caller } from "../client.ts";
import type { Cast } from "../cast.ts";
import { BAD_BOOLEAN, BAD_ID, BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, badLine, orNull, type Case } from "./case.ts";

export const BAD_TITLE = badLine(LIMITS.task_title_characters);
const BAD_DAY = [5, "", "tomorrow", "2026-02-30", "2026-13-01", "26-03-02", "2026-03-02T09:00:00Z", "2026-03-02T00:00:00+02:00", " 2026-03-02", {}];
const BAD_FLAG = ["", "1", "yes", "TRUE"];
export const aTask = { title: "Bounce the stems" };

let drawn = 0;
async function task(cast: Cast, by: Caller = cast.member, more: object = {}, file = cast.home.file): Promise<number> {
  const [made] = (await cast.world.call(by, tasks.createTasks, { body: { file_id: file, tasks: [{ ...aTask, ...more }] } })).answer.data;
  return made?.id ?? 0;
}
const foreignTask = (cast: Cast): Promise<number> => task(cast, cast.foreignOwner, {}, cast.foreign.file);
const nextTask = (cast: Cast): Promise<number> => task(cast, cast.neighbour, {}, cast.next.file);

export async function folder({ world, member, home }: Cast, more: object = {}, parent = home.root): Promise<number> {
  return (await world.call(member, files.makeFolder, { body: { parent_id: parent, name: `Tasks ${++drawn}`, ...more } })).answer.data.id;
}

export const NOT_THEIR_FILE = (more: (cast: Cast) => object | Promise<object> = () => ({})): Case["foreign"] => [
  ["a file of the same team", async (cast) => ({ body: { file_id: cast.next.file, ...(await more(cast)) } }), 404],
  ["a file of another organisation", async (cast) => ({ body: { file_id: cast.foreign.file, ...(await more(cast)) } }), 404],
  ["a file that does not exist", async (cast) => ({ body: { file_id: 999_999, ...(await more(cast)) } }), 404],
];
const NOT_THEIR_TASK = (body?: object): Case["foreign"] => [
  ["a task of the same team", async (cast) => ({ params: { task_id: await nextTask(cast) }, body }), 404],
  ["a task of another organisation", async (cast) => ({ params: { task_id: await foreignTask(cast) }, body }), 404],
  ["a task that does not exist", () => ({ params: { task_id: 999_999 }, body }), 404],
];

export const tasksByFolder: Case = {
  as: ({ guest }) => guest,
  good: async (cast) => {
    const file_id = await folder(cast);
    await task(cast, cast.member, {}, file_id);
    await task(cast, cast.guest, { title: "Below" }, await folder(cast, {}, file_id));
    return { body: { file_id } };
  },
  happy: ({ answer }) => expect(answer.data.map(({ title }: { title: string }) => title)).toEqual(["Bounce the stems", "Below"]),
  bad: { "body.file_id": BAD_ID },
  foreign: NOT_THEIR_FILE(),
  edge: {
    "a file's own, in their order; of a deleted file none": async (cast) => {
      const { world, member, guest } = cast;
      const inside = await folder(cast);
      const file_id = await folder(cast, {}, inside);
      for (const title of ["one", "two", "three"]) await task(cast, member, { title }, file_id);
      const of = async (id: number) => (await world.call(guest, tasks.tasksByFolder, { body: { file_id: id } })).answer.data.map(({ title }) => title);
      expect(await of(file_id)).toEqual(["one", "two", "three"]);
      await world.call(member, files.deleteFile, { body: { file_id } });
      expect(await of(inside)).toEqual([]);
    },
  },
};

export const createTasks: Case = {
  as: ({ guest }) => guest,
  good: ({ home, member }) => ({
    body: { file_id: home.folder, tasks: [{ title: " Check the fade ", assignee_account_id: member.id, due_date: "2026-03-09" }, aTask] },
  }),
  happy: ({ answer, cast: { home, member, guest, world } }) => {
    expect(answer.data).toMatchObject([
      {
        object: "task",
        title: "Check the fade",
        file_id: home.folder,
        file_is_folder: true,
        project_id: home.project,
        assignee_account_id: member.id,
        due_date: "2026-03-09T00:00:00.000Z",
        closed: false,
        closed_at: null,
        closed_by_account_id: null,
        created_by_account_id: guest.id,
        created_at: new Date(world.clock.now()).toISOString(),
        revision: 1,
      },
      { title: "Bounce the stems", assignee_account_id: null, due_date: null },
    ]);
    expect(answer.data[1].position).toBe(answer.data[0].position + 1);
  },
  bad: {
    "body.file_id": BAD_ID,
    "body.tasks": [
      null,
      {},
      [],
      [5],
      Array.from({ length: LIMITS.tasks_per_request + 1 }, () => aTask),
      ...BAD_TITLE.map((title) => [{ title }]),
      ...orNull(BAD_ID).map((assignee_account_id) => [{ ...aTask, assignee_account_id }]),
      ...BAD_DAY.map((due_date) => [{ ...aTask, due_date }]),
      // The whole request, or nothing of it.
      [aTask, { title: "" }],
    ],
  },
  foreign: [
    ...NOT_THEIR_FILE(() => ({ tasks: [aTask] })),
    [
      "for somebody of the same team who is not in the project",
      ({ home, neighbour }) => ({ body: { file_id: home.file, tasks: [aTask, { ...aTask, assignee_account_id: neighbour.id }] } }),
      400,
    ],
    [
      "for somebody of another organisation",
      ({ home, foreignMember }) => ({ body: { file_id: home.file, tasks: [{ ...aTask, assignee_account_id: foreignMember.id }] } }),
      400,
    ],
    ["for nobody known", ({ home }) => ({ body: { file_id: home.file, tasks: [{ ...aTask, assignee_account_id: 999_999 }] } }), 400],
  ],
  edge: {
    "for an owner who sees the project without being in it": async (cast) => {
      const { world, admin, owner, home } = cast;
      const id = await task(cast, cast.guest, { assignee_account_id: admin.id });
      expect((await world.call(owner, tasks.getTask, { params: { task_id: id } })).answer.data).toMatchObject({
        assignee_account_id: admin.id,
        file_id: home.file,
      });
    },
    "the same Idempotency-Key makes one, and another request with it none": async (cast) => {
      const { world, member } = cast;
      const file_id = await folder(cast);
      const make = (title: string) =>
        world.call(member, tasks.createTasks, { body: { file_id, tasks: [{ title }] } }, { headers: { "idempotency-key": "task-once" } });
      const [first] = (await make("once")).answer.data;
      expect((await make("once")).answer.data).toEqual([first]);
      expect((await make("twice")).status).toBe(409);
      expect((await world.call(member, tasks.tasksByFolder, { body: { file_id } })).answer.data).toEqual([first]);
    },
    "as many as a file can hold, and no more": async (cast) => {
      const { world, member } = cast;
      const file_id = await folder(cast);
      const body = { file_id, tasks: Array.from({ length: LIMITS.tasks_per_request }, () => aTask) };
      const times = LIMITS.tasks_per_file / LIMITS.tasks_per_request;
      for (let time = 0; time < times; time += 1) expect((await world.call(member, tasks.createTasks, { body })).status).toBe(200);
      expect((await world.call(member, tasks.createTasks, { body: { file_id, tasks: [aTask] } })).status).toBe(409);
    },
  },
};

export const listTasks: Case = {
  as: ({ guest }) => guest,
  good: async (cast) => {
    const file_id = await folder(cast);
    await task(cast, cast.member, { assignee_account_id: cast.guest.id, title: "Mine" }, file_id);
    await task(cast, cast.member, {}, file_id);
    return { query: { mine: "true", closed: "false", file_id: String(file_id), limit: "10" } };
  },
  happy: ({ answer }) => expect(answer).toMatchObject({ data: [{ title: "Mine" }], next_cursor: null }),
  bad: {
    "query.mine": BAD_FLAG,
    "query.closed": BAD_FLAG,
    "query.file_id": BAD_ID_IN_PATH,
    "query.limit": BAD_LIMIT_IN_QUERY,
    "query.cursor": ["", "x", "x".repeat(201)],
  },
  foreign: [
    ["of a file of the same team", ({ next }) => ({ query: { file_id: String(next.file) } }), 404],
    ["of a file of another organisation", ({ foreign }) => ({ query: { file_id: String(foreign.file) } }), 404],
  ],
  edge: {
    "newest first in pages; open and closed apart; nothing of projects that are not theirs": async (cast) => {
      const { world, member, guest } = cast;
      const file_id = await folder(cast);
      const ids: number[] = [];
      for (const title of ["a", "b", "c", "d", "e"]) ids.unshift(await task(cast, member, { title, assignee_account_id: guest.id }, file_id));
      await world.call(member, tasks.updateTask, { params: { task_id: ids[1] ?? 0 }, body: { closed: true } });
      await nextTask(cast);
      const list = async (query: object) => (await world.call(guest, tasks.listTasks, { query: { file_id: String(file_id), ...query } })).answer;
      const seen: number[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const page: { data: { id: number }[]; next_cursor: string | null } = await list({ limit: "2", ...(cursor ? { cursor } : {}) });
        seen.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      expect(seen).toEqual(ids);
      expect((await list({ closed: "true" })).data.map(({ id }) => id)).toEqual([ids[1]]);
      expect((await list({ closed: "false", mine: "true" })).data.map(({ id }) => id)).toEqual(ids.filter((_, index) => index !== 1));
      const all = (await world.call(guest, tasks.listTasks, { query: { limit: "200" } })).answer.data;
      expect(new Set(all.map(({ project_id }) => project_id))).toEqual(new Set([cast.home.project]));
    },
  },
};

export const getTask: Case = {
  as: ({ guest }) => guest,
  good: async (cast) => ({ params: { task_id: await task(cast) } }),
  happy: ({ data, cast: { home, member } }) =>
    expect(data).toMatchObject({ object: "task", file_id: home.file, file_name: "mix.wav", file_is_folder: false, created_by_account_id: member.id }),
  bad: { "params.task_id": BAD_ID_IN_PATH },
  foreign: NOT_THEIR_TASK(),
  edge: {},
};

export const updateTask: Case = {
  as: ({ member }) => member,
  good: async (cast) => ({
    params: { task_id: await task(cast, cast.guest) },
    body: { title: "Print it", assignee_account_id: cast.guest.id, due_date: "2026-03-09T00:00:00Z", closed: true },
  }),
  happy: ({ data, cast: { guest, member, world } }) =>
    expect(data).toMatchObject({
      title: "Print it",
      assignee_account_id: guest.id,
      due_date: "2026-03-09T00:00:00.000Z",
      closed: true,
      closed_at: new Date(world.clock.now()).toISOString(),
      closed_by_account_id: member.id,
      created_by_account_id: guest.id,
      revision: 2,
    }),
  bad: {
    "params.task_id": BAD_ID_IN_PATH,
    "body.title": BAD_TITLE,
    "body.assignee_account_id": [...orNull(BAD_ID), 999_999],
    "body.due_date": BAD_DAY,
    "body.closed": BAD_BOOLEAN,
  },
  foreign: [
    ...NOT_THEIR_TASK({ closed: true }),
    [
      "for somebody who is not in the project",
      async (cast) => ({ params: { task_id: await task(cast) }, body: { assignee_account_id: cast.neighbour.id } }),
      400,
    ],
  ],
  edge: {
    "what is null is taken away, what is not named stays": async (cast) => {
      const { world, member, guest } = cast;
      const params = { task_id: await task(cast, member, { assignee_account_id: guest.id, due_date: "2026-03-09" }) };
      const update = async (body: object) => (await world.call(member, tasks.updateTask, { params, body })).answer.data;
      expect(await update({ due_date: null })).toMatchObject({ due_date: null, assignee_account_id: guest.id, title: "Bounce the stems" });
      expect(await update({ assignee_account_id: null })).toMatchObject({ assignee_account_id: null });
      expect((await update({})).revision).toBe(3);
    },
    "a guest edits what they wrote, and closes what is theirs to do; nothing else": async (cast) => {
      const { world, member, guest } = cast;
      const update = async (task_id: number, body: object) => (await world.call(guest, tasks.updateTask, { params: { task_id }, body })).status;
      const [own, given, others] = [await task(cast, guest), await task(cast, member, { assignee_account_id: guest.id }), await task(cast)];
      expect(await update(own, { title: "Mine" })).toBe(200);
      expect(await update(given, { title: "Theirs", closed: true })).toBe(403);
      expect(await update(given, { closed: true })).toBe(200);
      expect(await update(given, { closed: false })).toBe(200);
      expect(await update(others, { closed: true })).toBe(403);
    },
    "who has left the project may stay the one who was to do it": async (cast) => {
      const { world, member, admin } = cast;
      const task_id = await task(cast, member, { assignee_account_id: admin.id });
      await world.database.write((tx) => tx.updateTable("accounts").set({ role: "member" }).where("id", "=", admin.id).execute());
      try {
        const update = (body: object) => world.call(member, tasks.updateTask, { params: { task_id }, body });
        expect((await update({ title: "Go on", assignee_account_id: admin.id })).status).toBe(200);
        await update({ assignee_account_id: null });
        expect((await update({ assignee_account_id: admin.id })).status).toBe(400);
      } finally {
        await world.database.write((tx) => tx.updateTable("accounts").set({ role: "admin" }).where("id", "=", admin.id).execute());
      }
    },
  },
};

export const deleteTask: Case = {
  as: ({ guest }) => guest,
  good: async (cast) => ({ params: { task_id: await task(cast, cast.guest) } }),
  happy: async ({ given, cast: { world, owner } }) => {
    const { task_id } = given.params as { task_id: number };
    expect((await world.call(owner, tasks.getTask, { params: { task_id } })).status).toBe(404);
  },
  bad: { "params.task_id": BAD_ID_IN_PATH },
  foreign: [...NOT_THEIR_TASK(), ["a task that somebody else wrote", async (cast) => ({ params: { task_id: await task(cast) } }), 403]],
  edge: {
    "once is enough": async (cast) => {
      const params = { task_id: await task(cast) };
      const statuses = await Promise.all([1, 2, 3].map(async () => (await cast.world.call(cast.member, tasks.deleteTask, { params })).status));
      expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 404, 404]);
    },
  },
};
