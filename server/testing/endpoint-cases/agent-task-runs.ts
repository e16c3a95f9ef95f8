import { expect } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as operations from "../../../contract/operations/agent-tasks.ts";
import { BAD_PAGE_IN_QUERY, createRun, createTask, inaccessibleRuns, inaccessibleTasks, insertRun, withTask } from "./agent-task-helpers.ts";
import { BAD_ID, BAD_ID_IN_PATH, badText, type EndpointCase, withoutNull } from "./case.ts";

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
      prompt: null,
      waiting_for: null,
      created_at: expect.any(String),
      started_at: null,
      finished_at: null,
      log: [],
      results: [],
      error: null,
    }),
  invalid: {
    "params.task_id": BAD_ID_IN_PATH,
    "body.file_id": [...withoutNull(BAD_ID), 999_999],
    "body.prompt": [...withoutNull(badText(LIMITS.agent_prompt_characters)), "", "What?"],
  },
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
