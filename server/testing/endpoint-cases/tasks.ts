import { expect } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as files from "../../../contract/operations/files.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import type { Caller } from "../client.ts";
import type { Fixtures } from "../fixtures.ts";
import { BAD_BOOLEAN, BAD_ID, BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, withoutNull, type EndpointCase } from "./case.ts";
import { BAD_TITLE, createCaseFolder, inaccessibleFilesInBody, taskInput } from "./helpers.ts";

const BAD_DATE = [5, "", "tomorrow", "2026-02-30", "2026-13-01", "26-03-02", "2026-03-02T09:00:00Z", "2026-03-02T00:00:00+02:00", " 2026-03-02", {}];
const BAD_FLAG = ["", "1", "yes", "TRUE"];

async function createTask(fixtures: Fixtures, caller: Caller = fixtures.member, overrides: object = {}, file = fixtures.home.file): Promise<number> {
  const [created] = (await fixtures.testApp.call(caller, tasks.createTasks, { body: { file_id: file, tasks: [{ ...taskInput, ...overrides }] } })).response
    .data;
  return created?.id ?? 0;
}
const createForeignTask = (fixtures: Fixtures): Promise<number> => createTask(fixtures, fixtures.foreignOwner, {}, fixtures.foreign.file);
const createNextProjectTask = (fixtures: Fixtures): Promise<number> => createTask(fixtures, fixtures.neighbor, {}, fixtures.next.file);

const inaccessibleTaskCases = (body?: object): EndpointCase["rejectedRequests"] => [
  ["a task in another project of the same team", async (fixtures) => ({ params: { task_id: await createNextProjectTask(fixtures) }, body }), 404],
  ["a task of another organization", async (fixtures) => ({ params: { task_id: await createForeignTask(fixtures) }, body }), 404],
  ["a task that does not exist", () => ({ params: { task_id: 999_999 }, body }), 404],
];

export const listFolderTasks: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => {
    const file_id = await createCaseFolder(fixtures);
    await createTask(fixtures, fixtures.member, {}, file_id);
    await createTask(fixtures, fixtures.guest, { title: "Below" }, await createCaseFolder(fixtures, { parent: file_id }));
    return { body: { file_id } };
  },
  assertResponse: ({ response }) => expect(response.data.map(({ title }: { title: string }) => title)).toEqual(["Bounce the stems", "Below"]),
  invalid: { "body.file_id": BAD_ID },
  rejectedRequests: inaccessibleFilesInBody(),
  edgeCases: {
    "lists a file's tasks in order, and none of a deleted file": async (fixtures) => {
      const { testApp, member, guest } = fixtures;
      const parentFolder = await createCaseFolder(fixtures);
      const file_id = await createCaseFolder(fixtures, { parent: parentFolder });
      for (const title of ["one", "two", "three"]) await createTask(fixtures, member, { title }, file_id);
      const listTitles = async (id: number) =>
        (await testApp.call(guest, tasks.listFolderTasks, { body: { file_id: id } })).response.data.map(({ title }) => title);
      expect(await listTitles(file_id)).toEqual(["one", "two", "three"]);
      await testApp.call(member, files.deleteFile, { body: { file_id } });
      expect(await listTitles(parentFolder)).toEqual([]);
    },
  },
};

export const createTasks: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home, member }) => ({
    body: { file_id: home.folder, tasks: [{ title: " Check the fade ", assignee_account_id: member.id, due_date: "2026-03-09" }, taskInput] },
  }),
  assertResponse: ({ response, fixtures: { home, member, guest, testApp } }) => {
    expect(response.data).toMatchObject([
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
        created_at: new Date(testApp.clock.now()).toISOString(),
        revision: 1,
      },
      { title: "Bounce the stems", assignee_account_id: null, due_date: null },
    ]);
    expect(response.data[1].position).toBe(response.data[0].position + 1);
  },
  invalid: {
    "body.file_id": BAD_ID,
    "body.tasks": [
      null,
      {},
      [],
      [5],
      Array.from({ length: LIMITS.tasks_per_request + 1 }, () => taskInput),
      ...BAD_TITLE.map((title) => [{ title }]),
      ...withoutNull(BAD_ID).map((assignee_account_id) => [{ ...taskInput, assignee_account_id }]),
      ...BAD_DATE.map((due_date) => [{ ...taskInput, due_date }]),
      // One invalid task rejects the whole request.
      [taskInput, { title: "" }],
    ],
  },
  rejectedRequests: [
    ...inaccessibleFilesInBody(() => ({ tasks: [taskInput] })),
    [
      "an assignee of the same team who is not in the project",
      ({ home, neighbor }) => ({ body: { file_id: home.file, tasks: [taskInput, { ...taskInput, assignee_account_id: neighbor.id }] } }),
      400,
    ],
    [
      "an assignee of another organization",
      ({ home, foreignMember }) => ({ body: { file_id: home.file, tasks: [{ ...taskInput, assignee_account_id: foreignMember.id }] } }),
      400,
    ],
    ["an unknown assignee", ({ home }) => ({ body: { file_id: home.file, tasks: [{ ...taskInput, assignee_account_id: 999_999 }] } }), 400],
  ],
  edgeCases: {
    "accepts an assignee who can see the project without being a member": async (fixtures) => {
      const { testApp, admin, owner, home } = fixtures;
      const id = await createTask(fixtures, fixtures.guest, { assignee_account_id: admin.id });
      expect((await testApp.call(owner, tasks.getTask, { params: { task_id: id } })).response.data).toMatchObject({
        assignee_account_id: admin.id,
        file_id: home.file,
      });
    },
    "the same Idempotency-Key creates one task, and another body with it is a conflict": async (fixtures) => {
      const { testApp, member } = fixtures;
      const file_id = await createCaseFolder(fixtures);
      const make = (title: string) =>
        testApp.call(member, tasks.createTasks, { body: { file_id, tasks: [{ title }] } }, { headers: { "idempotency-key": "task-once" } });
      const [first] = (await make("once")).response.data;
      expect((await make("once")).response.data).toEqual([first]);
      expect((await make("twice")).status).toBe(409);
      expect((await testApp.call(member, tasks.listFolderTasks, { body: { file_id } })).response.data).toEqual([first]);
    },
    "limits the tasks of a file": async (fixtures) => {
      const { testApp, member } = fixtures;
      const file_id = await createCaseFolder(fixtures);
      const body = { file_id, tasks: Array.from({ length: LIMITS.tasks_per_request }, () => taskInput) };
      const requestCount = LIMITS.tasks_per_file / LIMITS.tasks_per_request;
      for (let index = 0; index < requestCount; index += 1) expect((await testApp.call(member, tasks.createTasks, { body })).status).toBe(200);
      expect((await testApp.call(member, tasks.createTasks, { body: { file_id, tasks: [taskInput] } })).status).toBe(409);
    },
  },
};

export const listTasks: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => {
    const file_id = await createCaseFolder(fixtures);
    await createTask(fixtures, fixtures.member, { assignee_account_id: fixtures.guest.id, title: "Mine" }, file_id);
    await createTask(fixtures, fixtures.member, {}, file_id);
    return { query: { mine: "true", closed: "false", file_id: String(file_id), limit: "10" } };
  },
  assertResponse: ({ response }) => expect(response).toMatchObject({ data: [{ title: "Mine" }], next_cursor: null }),
  invalid: {
    "query.mine": BAD_FLAG,
    "query.closed": BAD_FLAG,
    "query.file_id": BAD_ID_IN_PATH,
    "query.project_id": BAD_ID_IN_PATH,
    "query.limit": BAD_LIMIT_IN_QUERY,
    "query.cursor": ["", "x", "x".repeat(201)],
  },
  rejectedRequests: [
    ["a file in another project of the same team", ({ next }) => ({ query: { file_id: String(next.file) } }), 404],
    ["a file of another organization", ({ foreign }) => ({ query: { file_id: String(foreign.file) } }), 404],
  ],
  edgeCases: {
    "lists newest first in pages, filters open and closed tasks, and omits projects the caller cannot see": async (fixtures) => {
      const { testApp, member, guest } = fixtures;
      const file_id = await createCaseFolder(fixtures);
      const ids: number[] = [];
      for (const title of ["a", "b", "c", "d", "e"]) ids.unshift(await createTask(fixtures, member, { title, assignee_account_id: guest.id }, file_id));
      await testApp.call(member, tasks.updateTask, { params: { task_id: ids[1] ?? 0 }, body: { closed: true } });
      await createNextProjectTask(fixtures);
      const list = async (query: object) => (await testApp.call(guest, tasks.listTasks, { query: { file_id: String(file_id), ...query } })).response;
      const seenIds: number[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const page: { data: { id: number }[]; next_cursor: string | null } = await list({ limit: "2", ...(cursor ? { cursor } : {}) });
        seenIds.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor;
      }
      expect(seenIds).toEqual(ids);
      expect((await list({ closed: "true" })).data.map(({ id }) => id)).toEqual([ids[1]]);
      expect((await list({ closed: "false", mine: "true" })).data.map(({ id }) => id)).toEqual(ids.filter((_, index) => index !== 1));
      const all = (await testApp.call(guest, tasks.listTasks, { query: { limit: "200" } })).response.data;
      expect(new Set(all.map(({ project_id }) => project_id))).toEqual(new Set([fixtures.home.project]));
    },
  },
};

export const getTask: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => ({ params: { task_id: await createTask(fixtures) } }),
  assertResponse: ({ data, fixtures: { home, member } }) =>
    expect(data).toMatchObject({ object: "task", file_id: home.file, file_name: "mix.wav", file_is_folder: false, created_by_account_id: member.id }),
  invalid: { "params.task_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleTaskCases(),
  edgeCases: {},
};

export const updateTask: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({
    params: { task_id: await createTask(fixtures, fixtures.guest) },
    body: { title: "Print it", assignee_account_id: fixtures.guest.id, due_date: "2026-03-09T00:00:00Z", closed: true },
  }),
  assertResponse: ({ data, fixtures: { guest, member, testApp } }) =>
    expect(data).toMatchObject({
      title: "Print it",
      assignee_account_id: guest.id,
      due_date: "2026-03-09T00:00:00.000Z",
      closed: true,
      closed_at: new Date(testApp.clock.now()).toISOString(),
      closed_by_account_id: member.id,
      created_by_account_id: guest.id,
      revision: 2,
    }),
  invalid: {
    "params.task_id": BAD_ID_IN_PATH,
    "body.title": BAD_TITLE,
    "body.assignee_account_id": [...withoutNull(BAD_ID), 999_999],
    "body.due_date": BAD_DATE,
    "body.closed": BAD_BOOLEAN,
  },
  rejectedRequests: [
    ...inaccessibleTaskCases({ closed: true }),
    [
      "an assignee who is not in the project",
      async (fixtures) => ({ params: { task_id: await createTask(fixtures) }, body: { assignee_account_id: fixtures.neighbor.id } }),
      400,
    ],
  ],
  edgeCases: {
    "null removes a value, and omitted members stay unchanged": async (fixtures) => {
      const { testApp, member, guest } = fixtures;
      const params = { task_id: await createTask(fixtures, member, { assignee_account_id: guest.id, due_date: "2026-03-09" }) };
      const update = async (body: object) => (await testApp.call(member, tasks.updateTask, { params, body })).response.data;
      expect(await update({ due_date: null })).toMatchObject({ due_date: null, assignee_account_id: guest.id, title: "Bounce the stems" });
      expect(await update({ assignee_account_id: null })).toMatchObject({ assignee_account_id: null });
      expect((await update({})).revision).toBe(3);
    },
    "a guest can edit their own tasks and close those assigned to them, and nothing else": async (fixtures) => {
      const { testApp, member, guest } = fixtures;
      const update = async (task_id: number, body: object) => (await testApp.call(guest, tasks.updateTask, { params: { task_id }, body })).status;
      const [ownTask, assignedTask, unrelatedTask] = [
        await createTask(fixtures, guest),
        await createTask(fixtures, member, { assignee_account_id: guest.id }),
        await createTask(fixtures),
      ];
      expect(await update(ownTask, { title: "Mine" })).toBe(200);
      expect(await update(assignedTask, { title: "Theirs", closed: true })).toBe(403);
      expect(await update(assignedTask, { closed: true })).toBe(200);
      expect(await update(assignedTask, { closed: false })).toBe(200);
      expect(await update(unrelatedTask, { closed: true })).toBe(403);
    },
    "an assignee who left the project can stay, but cannot be assigned again": async (fixtures) => {
      const { testApp, member, admin } = fixtures;
      const task_id = await createTask(fixtures, member, { assignee_account_id: admin.id });
      await testApp.database.write((tx) => tx.updateTable("accounts").set({ role: "member" }).where("id", "=", admin.id).execute());
      try {
        const update = (body: object) => testApp.call(member, tasks.updateTask, { params: { task_id }, body });
        expect((await update({ title: "Go on", assignee_account_id: admin.id })).status).toBe(200);
        await update({ assignee_account_id: null });
        expect((await update({ assignee_account_id: admin.id })).status).toBe(400);
      } finally {
        await testApp.database.write((tx) => tx.updateTable("accounts").set({ role: "admin" }).where("id", "=", admin.id).execute());
      }
    },
  },
};

export const deleteTask: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => ({ params: { task_id: await createTask(fixtures, fixtures.guest) } }),
  assertResponse: async ({ input, fixtures: { testApp, owner } }) => {
    const { task_id } = input.params as { task_id: number };
    expect((await testApp.call(owner, tasks.getTask, { params: { task_id } })).status).toBe(404);
  },
  invalid: { "params.task_id": BAD_ID_IN_PATH },
  rejectedRequests: [...inaccessibleTaskCases(), ["another person's task", async (fixtures) => ({ params: { task_id: await createTask(fixtures) } }), 403]],
  edgeCases: {
    "simultaneous requests delete a task once": async (fixtures) => {
      const params = { task_id: await createTask(fixtures) };
      const statuses = await Promise.all([1, 2, 3].map(async () => (await fixtures.testApp.call(fixtures.member, tasks.deleteTask, { params })).status));
      expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 404, 404]);
    },
  },
};
