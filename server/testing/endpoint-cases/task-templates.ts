import { expect } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as files from "../../../contract/operations/files.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import type { Caller } from "../client.ts";
import type { Fixtures } from "../fixtures.ts";
import { BAD_ID, BAD_ID_IN_PATH, badLine, type EndpointCase } from "./case.ts";
import { BAD_TITLE, createCaseFolder, inaccessibleFilesInBody, taskInput } from "./helpers.ts";

let counter = 0;
const newName = (): string => `Template ${++counter}`;

async function createTemplate(fixtures: Fixtures, caller: Caller = fixtures.member, team = fixtures.home.team): Promise<number> {
  const body = {
    team_id: team,
    name: newName(),
    tasks: [
      { title: "First", due_days: 2 },
      { title: "Second", due_days: null },
    ],
  };
  return (await fixtures.testApp.call(caller, tasks.createTaskTemplate, { body })).response.data.id;
}
const createForeignTemplate = (fixtures: Fixtures): Promise<number> => createTemplate(fixtures, fixtures.foreignOwner, fixtures.foreign.team);

export const getTaskTemplate: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => ({ body: { template_id: await createTemplate(fixtures) } }),
  assertResponse: ({ data, fixtures: { home } }) =>
    expect(data).toMatchObject({
      team_id: home.team,
      tasks: [
        { title: "First", due_days: 2 },
        { title: "Second", due_days: null },
      ],
    }),
  invalid: { "body.template_id": BAD_ID },
  rejectedRequests: [
    ["a template of another organization", async (fixtures) => ({ body: { template_id: await createForeignTemplate(fixtures) } }), 404],
    ["a template that does not exist", () => ({ body: { template_id: 999_999 } }), 404],
  ],
  edgeCases: {
    "a new team has a default template": async ({ testApp, foreignMember, foreign }) => {
      const [first] = (await testApp.call(foreignMember, tasks.listTaskTemplates, { query: { team_id: String(foreign.team) } })).response.data;
      expect(first).toMatchObject({ name: "Delivery", team_id: foreign.team });
      expect((await testApp.call(foreignMember, tasks.getTaskTemplate, { body: { template_id: first?.id ?? 0 } })).response.data).toEqual(first);
    },
  },
};

export const loadTasksFromTemplate: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async (fixtures) => ({ body: { template_id: await createTemplate(fixtures), file_id: await createCaseFolder(fixtures) } }),
  assertResponse: ({ response, fixtures: { testApp, guest } }) => {
    const today = new Date(testApp.clock.now()).toISOString().slice(0, 10);
    const after = new Date(Date.parse(today) + 2 * 86_400_000).toISOString();
    expect(response.data).toMatchObject([
      { title: "First", due_date: after, position: 1, assignee_account_id: null, closed: false, created_by_account_id: guest.id },
      { title: "Second", due_date: null, position: 2 },
    ]);
  },
  invalid: { "body.template_id": [...BAD_ID, 999_999], "body.file_id": BAD_ID },
  rejectedRequests: [
    ...inaccessibleFilesInBody(async (fixtures) => ({ template_id: await createTemplate(fixtures) })),
    [
      "a template of another organization",
      async (fixtures) => ({ body: { template_id: await createForeignTemplate(fixtures), file_id: await createCaseFolder(fixtures) } }),
      400,
    ],
    [
      "a folder with task load protection",
      async (fixtures) => ({
        body: { template_id: await createTemplate(fixtures), file_id: await createCaseFolder(fixtures, { task_load_protection: true }) },
      }),
      409,
    ],
  ],
  edgeCases: {
    "the protection covers files directly in the folder but not single tasks, and can be removed": async (fixtures) => {
      const { testApp, member } = fixtures;
      const file_id = await createCaseFolder(fixtures, { task_load_protection: true });
      const uploaded = await testApp.callUntyped(member, files.uploadFile, { query: { parent_id: file_id, name: "in.wav" }, bytes: Buffer.from("x") });
      const subfolder = await createCaseFolder(fixtures, { parent: file_id });
      const template_id = await createTemplate(fixtures);
      const load = async (fileId: number) => (await testApp.call(member, tasks.loadTasksFromTemplate, { body: { template_id, file_id: fileId } })).status;
      expect(await load((uploaded.response as { file_id: number }).file_id)).toBe(409);
      expect(await load(subfolder)).toBe(200);
      expect((await testApp.call(member, tasks.createTasks, { body: { file_id, tasks: [taskInput] } })).status).toBe(200);
      await testApp.call(member, files.updateFolder, { body: { file_id, task_load_protection: false } });
      expect(await load(file_id)).toBe(200);
    },
    "the same Idempotency-Key loads the tasks once": async (fixtures) => {
      const { testApp, member } = fixtures;
      const body = { template_id: await createTemplate(fixtures), file_id: await createCaseFolder(fixtures) };
      const load = () => testApp.call(member, tasks.loadTasksFromTemplate, { body }, { headers: { "idempotency-key": "load-once" } });
      const [first, second] = [(await load()).response.data, (await load()).response.data];
      expect(second).toEqual(first);
      expect((await testApp.call(member, tasks.listFolderTasks, { body: { file_id: body.file_id } })).response.data).toHaveLength(2);
    },
  },
};

export const listTaskTemplates: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: ({ home }) => ({ query: { team_id: String(home.team) } }),
  assertResponse: ({ response }) => expect(response.data.map(({ name }: { name: string }) => name)).toContain("Delivery"),
  invalid: { "query.team_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["another team of the organization", ({ apart }) => ({ query: { team_id: String(apart.team) } }), 404],
    ["a team of another organization", ({ foreign }) => ({ query: { team_id: String(foreign.team) } }), 404],
  ],
  edgeCases: {},
};

export const createTaskTemplate: EndpointCase = {
  caller: ({ member }) => member,
  valid: ({ home }) => ({ body: { team_id: home.team, name: newName(), tasks: [{ title: " Check " }, { title: "Print", due_days: 0 }] } }),
  assertResponse: ({ data, input, fixtures: { home } }) =>
    expect(data).toMatchObject({
      name: (input.body as { name: string }).name,
      team_id: home.team,
      tasks: [
        { title: "Check", due_days: null },
        { title: "Print", due_days: 0 },
      ],
    }),
  invalid: {
    "body.team_id": BAD_ID,
    "body.name": badLine(100),
    "body.tasks": [
      null,
      [],
      [{}],
      Array.from({ length: LIMITS.tasks_per_request + 1 }, () => taskInput),
      ...BAD_TITLE.map((title) => [{ title }]),
      ...[-1, 1.5, "2", 3_651, true].map((due_days) => [{ ...taskInput, due_days }]),
    ],
  },
  rejectedRequests: [
    ["another team of the organization", ({ apart }) => ({ body: { team_id: apart.team, name: "x", tasks: [taskInput] } }), 404],
    ["a team of another organization", ({ foreign }) => ({ body: { team_id: foreign.team, name: "x", tasks: [taskInput] } }), 404],
  ],
  edgeCases: {
    "rejects a taken name in any case and more templates than a team can have": async ({ testApp, member, home }) => {
      const make = async (name: string) =>
        (await testApp.call(member, tasks.createTaskTemplate, { body: { team_id: home.team, name, tasks: [taskInput] } })).status;
      expect(await make("Éclat")).toBe(200);
      expect(await make("éCLAT")).toBe(409);
      expect(await make("E\u0301clat")).toBe(409);
      let status = 200;
      for (let count = 0; status === 200 && count <= LIMITS.task_templates_per_team; count += 1) status = await make(newName());
      expect(status).toBe(409);
      const { data } = (await testApp.call(member, tasks.listTaskTemplates, { query: { team_id: String(home.team) } })).response;
      expect(data).toHaveLength(LIMITS.task_templates_per_team);
      for (const { id, name } of data) if (name !== "Delivery") await testApp.call(member, tasks.deleteTaskTemplate, { params: { template_id: id } });
    },
  },
};

export const deleteTaskTemplate: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ params: { template_id: await createTemplate(fixtures) } }),
  assertResponse: async ({ input, fixtures: { testApp, member } }) => {
    const { template_id } = input.params as { template_id: number };
    expect((await testApp.call(member, tasks.getTaskTemplate, { body: { template_id } })).status).toBe(404);
  },
  invalid: { "params.template_id": BAD_ID_IN_PATH },
  rejectedRequests: [
    ["a template of another organization", async (fixtures) => ({ params: { template_id: await createForeignTemplate(fixtures) } }), 404],
    ["a template that does not exist", () => ({ params: { template_id: 999_999 } }), 404],
  ],
  edgeCases: {
    "keeps tasks that were created from the template": async (fixtures) => {
      const { testApp, member } = fixtures;
      const [template_id, file_id] = [await createTemplate(fixtures), await createCaseFolder(fixtures)];
      await testApp.call(member, tasks.loadTasksFromTemplate, { body: { template_id, file_id } });
      await testApp.call(member, tasks.deleteTaskTemplate, { params: { template_id } });
      expect((await testApp.call(member, tasks.listFolderTasks, { body: { file_id } })).response.data).toHaveLength(2);
    },
  },
};
