import { expect } from "vitest";
import { AGENT_TASK_STATES } from "../../../contract/agent-task-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import * as operations from "../../../contract/operations/agent-tasks.ts";
import { createAgent } from "../agents.ts";
import type { Fixtures } from "../fixtures.ts";
import { agentOf, BAD_PAGE_IN_QUERY, createTask, inaccessibleAgents, inaccessibleTasks, insertRun, insertTask, STEP, withTask } from "./agent-task-helpers.ts";
import { BAD_ID, BAD_ID_IN_PATH, badLine, badText, type EndpointCase, withoutNull } from "./case.ts";

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
  // For a rule, each of them is wrong.
  "body.prompt": [...withoutNull(badText(LIMITS.agent_prompt_characters)), "", "What?"],
  "body.since_hours": [0, LIMITS.summary_hours + 1, 1.5, "3", 24],
};

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
      prompt: null,
      since_hours: null,
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
    [
      "an action that needs a model, without one",
      async (fixtures) => ({ params: { agent_id: await agentOf(fixtures) }, body: { ...newTask(fixtures), action: "summarize", steps: [], since_hours: 24 } }),
      409,
    ],
    [
      "a question that nobody asks, because the clock starts the task",
      async (fixtures) => ({
        params: { agent_id: await agentOf(fixtures) },
        body: { ...newTask(fixtures), action: "answer", steps: [], trigger: { type: "schedule", cron: "0 9 * * *", time_zone: "UTC" } },
      }),
      400,
    ],
    [
      "a comment without a file, by the clock",
      async (fixtures) => ({
        params: { agent_id: await agentOf(fixtures) },
        body: { ...newTask(fixtures), action: "summarize", steps: [], result: "comment", trigger: { type: "schedule", cron: "0 9 * * *", time_zone: "UTC" } },
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
