import { expect } from "vitest";
import { AGENT_TASK_STATES } from "../../../contract/agent-task-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import * as operations from "../../../contract/operations/agent-tasks.ts";
import { createAgent, rejoinProject } from "../agents.ts";
import type { UntypedInput } from "../client.ts";
import type { Fixtures } from "../fixtures.ts";
import { BAD_ID, BAD_ID_IN_PATH, BAD_LIMIT_IN_QUERY, badLine, badText, type EndpointCase, withoutNull } from "./case.ts";

const BAD_PAGE_IN_QUERY = { "query.cursor": ["x", ""], "query.limit": BAD_LIMIT_IN_QUERY };
const TEXT = "{file}: {loudness}";
const STEP = { type: "post_message", text: TEXT };
const TRIGGER = { type: "event", event: "file.status_changed", name_pattern: "*mix*", file_kind: "audio" };

const BAD_TRIGGERS = [
  null,
  "manual",
  [],
  {},
  { type: "always" },
  ...[undefined, "tomorrow", "2020-01-01T00:00:00Z"].map((time) => ({ type: "at", time })),
  ...["every day", "*/5 * * * *", "0 0 30 2 *", "", "x".repeat(101), "\0"].map((cron) => ({ type: "schedule", cron, time_zone: "UTC" })),
  ...["Berlin", "", null].map((time_zone) => ({ type: "schedule", cron: "0 9 * * *", time_zone })),
  { ...TRIGGER, event: "file.renamed" },
  { ...TRIGGER, file_kind: "folder" },
  ...[...BAD_ID, 999_999].filter((id) => id !== null).map((status_id) => ({ ...TRIGGER, status_id })),
  { ...TRIGGER, event: "file.uploaded", status_id: 1 },
  ...withoutNull(badLine(LIMITS.name_pattern_characters)).map((name_pattern) => ({ ...TRIGGER, name_pattern })),
];
const BAD_STEPS = [
  null,
  "x",
  {},
  [],
  ...[null, {}, { type: "call_url" }].map((step) => [step]),
  Array.from({ length: LIMITS.rule_steps + 1 }, () => STEP),
  ...[...badText(LIMITS.rule_text_characters), "", "{tempo}"].map((text) => [{ type: "post_comment", text }]),
  ...badLine(LIMITS.task_title_characters).map((title) => [{ type: "create_task", title }]),
  ...[-1, 366, 1.5, "3"].map((due_in_days) => [{ type: "create_task", title: "Master", due_in_days }]),
  ...[...withoutNull(BAD_ID), 999_999].map((assignee_account_id) => [{ type: "create_task", title: "Master", assignee_account_id }]),
  ...[...BAD_ID, 999_999].map((status_id) => [{ type: "set_status", status_id }]),
];
const INVALID_CONTENT = {
  "body.name": badLine(LIMITS.agent_task_name_characters),
  "body.file_id": [...withoutNull(BAD_ID), 999_999],
  "body.trigger": BAD_TRIGGERS,
  "body.steps": BAD_STEPS,
  "body.result": [null, "email", 1],
};

const agents = new WeakMap<Fixtures, Promise<number>>();
/** An agent of `home`, created once per set of fixtures. */
async function agentOf(fixtures: Fixtures): Promise<number> {
  const { testApp, owner, home } = fixtures;
  const created = agents.get(fixtures) ?? createAgent(testApp, { createdBy: owner, projects: [home.project] });
  agents.set(fixtures, created);
  const agent = await created;
  await rejoinProject(testApp, agent, home.project);
  return agent;
}
const foreignAgent = ({ testApp, foreign, foreignOwner }: Fixtures): Promise<number> =>
  createAgent(testApp, { createdBy: foreignOwner, projects: [foreign.project] });

/** Inserts a task, after deleting those of earlier cases because of the limit per agent. */
async function insertTask(fixtures: Fixtures, where: { agent: number; project: number; owner: number }): Promise<number> {
  const { testApp } = fixtures;
  const now = testApp.clock.now();
  return testApp.database.write(async (tx) => {
    const earlier = tx.selectFrom("agent_tasks").select("id").where("agent_id", "=", where.agent);
    await tx.deleteFrom("agent_task_runs").where("task_id", "in", earlier).execute();
    await tx.deleteFrom("agent_tasks").where("agent_id", "=", where.agent).execute();
    const values = {
      agent_id: where.agent,
      project_id: where.project,
      created_by: where.owner,
      name: "Case",
      action: "rule" as const,
      result: "message" as const,
    };
    const stored = {
      trigger_type: "manual" as const,
      trigger_data: JSON.stringify({ type: "manual" }),
      steps: JSON.stringify([STEP]),
      state: "active" as const,
    };
    const task = { ...values, ...stored, created_at: now, updated_at: now };
    return (await tx.insertInto("agent_tasks").values(task).returning("id").executeTakeFirstOrThrow()).id;
  });
}
const createTask = async (fixtures: Fixtures): Promise<number> =>
  insertTask(fixtures, { agent: await agentOf(fixtures), project: fixtures.home.project, owner: fixtures.owner.id });
const createForeignTask = async (fixtures: Fixtures): Promise<number> =>
  insertTask(fixtures, { agent: await foreignAgent(fixtures), project: fixtures.foreign.project, owner: fixtures.foreignOwner.id });
const insertRun = ({ testApp }: Fixtures, task_id: number): Promise<number> =>
  testApp.database.write(async (tx) => {
    const values = { task_id, state: "waiting" as const, started_by: "manual" as const, created_at: testApp.clock.now() };
    return (await tx.insertInto("agent_task_runs").values(values).returning("id").executeTakeFirstOrThrow()).id;
  });
const createRun = async (fixtures: Fixtures): Promise<number> => insertRun(fixtures, await createTask(fixtures));

const withTask = async (fixtures: Fixtures, input: UntypedInput = {}) => ({ params: { task_id: await createTask(fixtures) }, ...input });
const inaccessibleTasks = (input: UntypedInput = {}): EndpointCase["rejectedRequests"] => [
  ["a task of another organization", async (fixtures) => ({ ...input, params: { task_id: await createForeignTask(fixtures) } }), 404],
  ["a task that does not exist", () => ({ ...input, params: { task_id: 999_999 } }), 404],
];
const inaccessibleRuns = (input: UntypedInput = {}): EndpointCase["rejectedRequests"] => [
  ["a run of another organization", async (fixtures) => ({ ...input, params: { run_id: await insertRun(fixtures, await createForeignTask(fixtures)) } }), 404],
  ["a run that does not exist", () => ({ ...input, params: { run_id: 999_999 } }), 404],
];
const inaccessibleAgents = (input: (fixtures: Fixtures) => UntypedInput): EndpointCase["rejectedRequests"] => [
  ["an agent of another organization", async (fixtures) => ({ ...input(fixtures), params: { agent_id: await foreignAgent(fixtures) } }), 404],
  ["an account that is no agent", (fixtures) => ({ ...input(fixtures), params: { agent_id: fixtures.member.id } }), 404],
];

export const listAgentTasks: EndpointCase = {
  caller: ({ member }) => member,
  async valid(fixtures) {
    await createTask(fixtures);
    return { params: { agent_id: await agentOf(fixtures) }, query: { project_id: String(fixtures.home.project), limit: "1" } };
  },
  assertResponse: ({ response }) => expect(response.data).toMatchObject([{ object: "agent_task", name: "Case", trigger: { type: "manual" }, last_run: null }]),
  invalid: { "params.agent_id": BAD_ID_IN_PATH, "query.project_id": BAD_ID_IN_PATH, ...BAD_PAGE_IN_QUERY },
  rejectedRequests: [
    ...inaccessibleAgents(() => ({})),
    [
      "a project of another organization",
      async (fixtures) => ({ params: { agent_id: await agentOf(fixtures) }, query: { project_id: String(fixtures.foreign.project) } }),
      404,
    ],
  ],
  edgeCases: {},
};

const newTask = ({ home }: Fixtures) => ({ project_id: home.project, action: "rule", name: "Ask for the master", trigger: TRIGGER, steps: [STEP] });
export const createAgentTask: EndpointCase = {
  caller: ({ admin }) => admin,
  async valid(fixtures) {
    await createTask(fixtures);
    return { params: { agent_id: await agentOf(fixtures) }, body: newTask(fixtures) };
  },
  assertResponse: ({ data, fixtures: { home, admin } }) =>
    expect(data).toMatchObject({
      object: "agent_task",
      project_id: home.project,
      file_id: null,
      name: "Ask for the master",
      action: "rule",
      trigger: TRIGGER,
      steps: [STEP],
      result: "message",
      state: AGENT_TASK_STATES[0],
      next_run_at: null,
      last_run: null,
      created_by_account_id: admin.id,
      revision: 1,
    }),
  invalid: { "params.agent_id": BAD_ID_IN_PATH, "body.project_id": BAD_ID, "body.action": [null, "think", 1, "check_delivery"], ...INVALID_CONTENT },
  rejectedRequests: [
    ...inaccessibleAgents((fixtures) => ({ body: newTask(fixtures) })),
    [
      "a project that the agent is not in",
      async (fixtures) => ({ params: { agent_id: await agentOf(fixtures) }, body: { ...newTask(fixtures), project_id: fixtures.next.project } }),
      400,
    ],
    [
      "a project of another organization",
      async (fixtures) => ({ params: { agent_id: await agentOf(fixtures) }, body: { ...newTask(fixtures), project_id: fixtures.foreign.project } }),
      404,
    ],
    [
      "a file of another project",
      async (fixtures) => ({ params: { agent_id: await agentOf(fixtures) }, body: { ...newTask(fixtures), file_id: fixtures.next.file } }),
      400,
    ],
    ["a folder", async (fixtures) => ({ params: { agent_id: await agentOf(fixtures) }, body: { ...newTask(fixtures), file_id: fixtures.home.folder } }), 400],
    [
      "a schedule for a step that needs a file, without one",
      async (fixtures) => ({
        params: { agent_id: await agentOf(fixtures) },
        body: { ...newTask(fixtures), trigger: { type: "schedule", cron: "0 9 * * *", time_zone: "UTC" }, steps: [{ type: "post_comment", text: "Hello" }] },
      }),
      400,
    ],
  ],
  edgeCases: {
    "an agent has at most 100 tasks": async (fixtures) => {
      const { testApp, admin, home, owner } = fixtures;
      const agent_id = await createAgent(testApp, { createdBy: owner, projects: [home.project] });
      await insertTask(fixtures, { agent: agent_id, project: home.project, owner: owner.id });
      await testApp.database.write(async (tx) => {
        const { id: _, ...task } = await tx.selectFrom("agent_tasks").selectAll().where("agent_id", "=", agent_id).executeTakeFirstOrThrow();
        await tx
          .insertInto("agent_tasks")
          .values(Array.from({ length: LIMITS.tasks_per_agent - 2 }, () => task))
          .execute();
      });
      const add = () => testApp.callUntyped(admin, operations.createAgentTask, { params: { agent_id }, body: newTask(fixtures) });
      expect([(await add()).status, (await add()).status]).toEqual([200, 409]);
    },
  },
};

export const getAgentTask: EndpointCase = {
  caller: ({ member }) => member,
  valid: (fixtures) => withTask(fixtures),
  assertResponse: ({ data }) => expect(data).toMatchObject({ object: "agent_task", name: "Case", steps: [STEP], state: "active" }),
  invalid: { "params.task_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleTasks(),
  edgeCases: {},
};

export const updateAgentTask: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: (fixtures) =>
    withTask(fixtures, { body: { name: "Changed", file_id: fixtures.home.file, trigger: TRIGGER, steps: [STEP, STEP], result: "comment", state: "paused" } }),
  assertResponse: ({ data, fixtures: { home } }) =>
    expect(data).toMatchObject({ name: "Changed", file_id: home.file, trigger: TRIGGER, steps: [STEP, STEP], result: "comment", state: "paused", revision: 2 }),
  invalid: { "params.task_id": BAD_ID_IN_PATH, ...INVALID_CONTENT, "body.state": [null, "done", 1] },
  rejectedRequests: [
    ...inaccessibleTasks({ body: { name: "Changed" } }),
    ["a file of another project", (fixtures) => withTask(fixtures, { body: { file_id: fixtures.next.file } }), 400],
  ],
  edgeCases: {
    "a schedule counts while the task is active": async (fixtures) => {
      const { testApp, admin } = fixtures;
      const params = { task_id: await createTask(fixtures) };
      const update = async (body: object) => (await testApp.call(admin, operations.updateAgentTask, { params, body })).response.data;
      const trigger = { type: "schedule", cron: "0 9 * * *", time_zone: "Europe/Berlin" };
      expect((await update({ trigger })).next_run_at).toMatch(/T0[78]:00:00.000Z$/);
      expect(await update({ state: "paused" })).toMatchObject({ state: "paused", next_run_at: null, trigger });
      expect((await update({ state: "active", name: "Daily" })).next_run_at).toMatch(/T0[78]:00:00.000Z$/);
    },
  },
};

export const deleteAgentTask: EndpointCase = {
  caller: ({ admin }) => admin,
  async valid(fixtures) {
    const task_id = await createTask(fixtures);
    await insertRun(fixtures, task_id);
    return { params: { task_id } };
  },
  assertResponse: ({ response }) => expect(response).toBeUndefined(),
  invalid: { "params.task_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleTasks(),
  edgeCases: {},
};

export const runAgentTask: EndpointCase = {
  caller: ({ member }) => member,
  valid: (fixtures) => withTask(fixtures, { body: { file_id: fixtures.home.file } }),
  assertResponse: ({ data, input, fixtures: { home, member } }) =>
    expect(data).toEqual({
      object: "agent_task_run",
      id: expect.any(Number),
      task_id: Number(input.params?.["task_id"]),
      agent_id: expect.any(Number),
      project_id: home.project,
      state: "waiting",
      started_by: "manual",
      started_by_account_id: member.id,
      file_id: home.file,
      waiting_for: null,
      created_at: expect.any(String),
      started_at: null,
      finished_at: null,
      log: [],
      results: [],
      error: null,
    }),
  invalid: { "params.task_id": BAD_ID_IN_PATH, "body.file_id": [...withoutNull(BAD_ID), 999_999] },
  rejectedRequests: [
    ...inaccessibleTasks({ body: {} }),
    ["a file of another project", (fixtures) => withTask(fixtures, { body: { file_id: fixtures.next.file } }), 400],
    ["a folder", (fixtures) => withTask(fixtures, { body: { file_id: fixtures.home.folder } }), 400],
  ],
  edgeCases: {},
};

export const listAgentTaskRuns: EndpointCase = {
  caller: ({ member }) => member,
  async valid(fixtures) {
    const task_id = await createTask(fixtures);
    await insertRun(fixtures, task_id);
    return { params: { task_id }, query: { state: "waiting", limit: "1" } };
  },
  assertResponse: ({ response }) => expect(response).toMatchObject({ data: [{ object: "agent_task_run", state: "waiting" }], next_cursor: null }),
  invalid: { "params.task_id": BAD_ID_IN_PATH, "query.state": ["", "done", "WAITING"], ...BAD_PAGE_IN_QUERY },
  rejectedRequests: inaccessibleTasks(),
  edgeCases: {
    "lists newest first, by state": async (fixtures) => {
      const params = { task_id: await createTask(fixtures) };
      const ids = [await insertRun(fixtures, params.task_id), await insertRun(fixtures, params.task_id)];
      const list = async (query: object) =>
        (await fixtures.testApp.call(fixtures.member, operations.listAgentTaskRuns, { params, query })).response.data.map(({ id }) => id);
      expect([await list({}), await list({ state: "succeeded" })]).toEqual([ids.toReversed(), []]);
    },
  },
};

export const getAgentTaskRun: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ params: { run_id: await createRun(fixtures) } }),
  assertResponse: ({ data, input }) => expect(data).toMatchObject({ object: "agent_task_run", id: Number(input.params?.["run_id"]), log: [], results: [] }),
  invalid: { "params.run_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleRuns(),
  edgeCases: {},
};

export const cancelAgentTaskRun: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => ({ params: { run_id: await createRun(fixtures) } }),
  assertResponse: ({ data }) => expect(data).toMatchObject({ state: "canceled", log: [{ text: "Canceled." }], finished_at: expect.any(String) }),
  invalid: { "params.run_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleRuns(),
  edgeCases: {
    "a run that has ended stays as it is": async (fixtures) => {
      const run_id = await createRun(fixtures);
      const { testApp, member } = fixtures;
      await testApp.database.write((tx) => tx.updateTable("agent_task_runs").set({ state: "succeeded", finished_at: 1 }).where("id", "=", run_id).execute());
      const { data } = (await testApp.call(member, operations.cancelAgentTaskRun, { params: { run_id } })).response;
      expect(data).toMatchObject({ state: "succeeded", log: [] });
    },
  },
};
