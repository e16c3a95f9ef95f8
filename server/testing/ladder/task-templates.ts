import { expect } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import { LIMITS } from "../../../contract/limits.ts";
import type { Caller } from "../client.ts";
import type { Cast } from "../cast.ts";
import { BAD_ID, BAD_ID_IN_PATH, badLine, type Case } from "./case.ts";
import { aTask, BAD_TITLE, folder, NOT_THEIR_FILE } from "./tasks.ts";

let drawn = 0;
const newName = (): string => `Template ${++drawn}`;

async function template(cast: Cast, by: Caller = cast.member, team = cast.home.team): Promise<number> {
  const body = {
    team_id: team,
    name: newName(),
    tasks: [
      { title: "First", due_days: 2 },
      { title: "Second", due_days: null },
    ],
  };
  return (await cast.world.call(by, tasks.createTaskTemplate, { body })).answer.data.id;
}
const foreignTemplate = (cast: Cast): Promise<number> => template(cast, cast.foreignOwner, cast.foreign.team);

export const getTaskTemplate: Case = {
  as: ({ guest }) => guest,
  good: async (cast) => ({ body: { template_id: await template(cast) } }),
  happy: ({ data, cast: { home } }) =>
    expect(data).toMatchObject({
      team_id: home.team,
      tasks: [
        { title: "First", due_days: 2 },
        { title: "Second", due_days: null },
      ],
    }),
  bad: { "body.template_id": BAD_ID },
  foreign: [
    ["a template of another organisation", async (cast) => ({ body: { template_id: await foreignTemplate(cast) } }), 404],
    ["a template that does not exist", () => ({ body: { template_id: 999_999 } }), 404],
  ],
  edge: {
    "a new team starts with one": async ({ world, foreignMember, foreign }) => {
      const [first] = (await world.call(foreignMember, tasks.listTaskTemplates, { query: { team_id: String(foreign.team) } })).answer.data;
      expect(first).toMatchObject({ name: "Delivery", team_id: foreign.team });
      expect((await world.call(foreignMember, tasks.getTaskTemplate, { body: { template_id: first?.id ?? 0 } })).answer.data).toEqual(first);
    },
  },
};

export const loadTasksFromTemplate: Case = {
  as: ({ guest }) => guest,
  good: async (cast) => ({ body: { template_id: await template(cast), file_id: await folder(cast) } }),
  happy: ({ answer, cast: { world, guest } }) => {
    const today = new Date(world.clock.now()).toISOString().slice(0, 10);
    const after = new Date(Date.parse(today) + 2 * 86_400_000).toISOString();
    expect(answer.data).toMatchObject([
      { title: "First", due_date: after, position: 1, assignee_account_id: null, closed: false, created_by_account_id: guest.id },
      { title: "Second", due_date: null, position: 2 },
    ]);
  },
  bad: { "body.template_id": [...BAD_ID, 999_999], "body.file_id": BAD_ID },
  foreign: [
    ...NOT_THEIR_FILE(async (cast) => ({ template_id: await template(cast) })),
    ["a template of another organisation", async (cast) => ({ body: { template_id: await foreignTemplate(cast), file_id: await folder(cast) } }), 400],
    [
      "a folder that is protected from it",
      async (cast) => ({ body: { template_id: await template(cast), file_id: await folder(cast, { task_load_protection: true }) } }),
      409,
    ],
  ],
  edge: {
    "the protection counts for what lies directly in the folder, not for single tasks, and comes off": async (cast) => {
      const { world, member } = cast;
      const file_id = await folder(cast, { task_load_protection: true });
      const inside = await world.wild(member, files.uploadFile, { query: { parent_id: file_id, name: "in.wav" }, bytes: Buffer.from("x") });
      const below = await folder(cast, {}, file_id);
      const template_id = await template(cast);
      const load = async (to: number) => (await world.call(member, tasks.loadTasksFromTemplate, { body: { template_id, file_id: to } })).status;
      expect(await load((inside.answer as { file_id: number }).file_id)).toBe(409);
      expect(await load(below)).toBe(200);
      expect((await world.call(member, tasks.createTasks, { body: { file_id, tasks: [aTask] } })).status).toBe(200);
      await world.call(member, files.updateFolder, { body: { file_id, task_load_protection: false } });
      expect(await load(file_id)).toBe(200);
    },
    "the same Idempotency-Key loads once": async (cast) => {
      const { world, member } = cast;
      const body = { template_id: await template(cast), file_id: await folder(cast) };
      const load = () => world.call(member, tasks.loadTasksFromTemplate, { body }, { headers: { "idempotency-key": "load-once" } });
      const [first, second] = [(await load()).answer.data, (await load()).answer.data];
      expect(second).toEqual(first);
      expect((await world.call(member, tasks.tasksByFolder, { body: { file_id: body.file_id } })).answer.data).toHaveLength(2);
    },
  },
};

export const listTaskTemplates: Case = {
  as: ({ guest }) => guest,
  good: ({ home }) => ({ query: { team_id: String(home.team) } }),
  happy: ({ answer }) => expect(answer.data.map(({ name }: { name: string }) => name)).toContain("Delivery"),
  bad: { "query.team_id": BAD_ID_IN_PATH },
  foreign: [
    ["another team of the organisation", ({ apart }) => ({ query: { team_id: String(apart.team) } }), 404],
    ["a team of another organisation", ({ foreign }) => ({ query: { team_id: String(foreign.team) } }), 404],
  ],
  edge: {},
};

export const createTaskTemplate: Case = {
  as: ({ member }) => member,
  good: ({ home }) => ({ body: { team_id: home.team, name: newName(), tasks: [{ title: " Check " }, { title: "Print", due_days: 0 }] } }),
  happy: ({ data, given, cast: { home } }) =>
    expect(data).toMatchObject({
      name: (given.body as { name: string }).name,
      team_id: home.team,
      tasks: [
        { title: "Check", due_days: null },
        { title: "Print", due_days: 0 },
      ],
    }),
  bad: {
    "body.team_id": BAD_ID,
    "body.name": badLine(100),
    "body.tasks": [
      null,
      [],
      [{}],
      Array.from({ length: LIMITS.tasks_per_request + 1 }, () => aTask),
      ...BAD_TITLE.map((title) => [{ title }]),
      ...[-1, 1.5, "2", 3_651, true].map((due_days) => [{ ...aTask, due_days }]),
    ],
  },
  foreign: [
    ["another team of the organisation", ({ apart }) => ({ body: { team_id: apart.team, name: "x", tasks: [aTask] } }), 404],
    ["a team of another organisation", ({ foreign }) => ({ body: { team_id: foreign.team, name: "x", tasks: [aTask] } }), 404],
  ],
  edge: {
    "a taken name is a 409, whatever the case; so is one more than a team can have": async ({ world, member, home }) => {
      const make = async (name: string) => (await world.call(member, tasks.createTaskTemplate, { body: { team_id: home.team, name, tasks: [aTask] } })).status;
      expect(await make("Éclat")).toBe(200);
      expect(await make("éCLAT")).toBe(409);
      expect(await make("E\u0301clat")).toBe(409);
      let status = 200;
      for (let made = 0; status === 200 && made <= LIMITS.task_templates_per_team; made += 1) status = await make(newName());
      expect(status).toBe(409);
      const { data } = (await world.call(member, tasks.listTaskTemplates, { query: { team_id: String(home.team) } })).answer;
      expect(data).toHaveLength(LIMITS.task_templates_per_team);
      for (const { id, name } of data) if (name !== "Delivery") await world.call(member, tasks.deleteTaskTemplate, { params: { template_id: id } });
    },
  },
};

export const deleteTaskTemplate: Case = {
  as: ({ member }) => member,
  good: async (cast) => ({ params: { template_id: await template(cast) } }),
  happy: async ({ given, cast: { world, member } }) => {
    const { template_id } = given.params as { template_id: number };
    expect((await world.call(member, tasks.getTaskTemplate, { body: { template_id } })).status).toBe(404);
  },
  bad: { "params.template_id": BAD_ID_IN_PATH },
  foreign: [
    ["a template of another organisation", async (cast) => ({ params: { template_id: await foreignTemplate(cast) } }), 404],
    ["a template that does not exist", () => ({ params: { template_id: 999_999 } }), 404],
  ],
  edge: {
    "tasks that were made from it stay": async (cast) => {
      const { world, member } = cast;
      const [template_id, file_id] = [await template(cast), await folder(cast)];
      await world.call(member, tasks.loadTasksFromTemplate, { body: { template_id, file_id } });
      await world.call(member, tasks.deleteTaskTemplate, { params: { template_id } });
      expect((await world.call(member, tasks.tasksByFolder, { body: { file_id } })).answer.data).toHaveLength(2);
    },
  },
};
