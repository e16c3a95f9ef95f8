/** Starts and awaits runs of agent tasks in a test app, and reads what agents wrote. */
import { setTimeout as pause } from "node:timers/promises";
import type { AgentTask, AgentTaskRun } from "../../../contract/agent-task-records.ts";
import * as operations from "../../../contract/operations/agent-tasks.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as files from "../../../contract/operations/files.ts";
import { markProcessed, upload } from "../../testing/files.ts";
import type { Fixtures } from "../../testing/fixtures.ts";

/** How often the test app looks for runs, and these helpers for results. */
export const INTERVAL_MS = 10;

export function createRunHelpers(fixtures: () => Fixtures) {
  const runNow = async ({ id }: AgentTask, file_id: number | null = null): Promise<AgentTaskRun> =>
    (await fixtures().testApp.call(fixtures().member, operations.runAgentTask, { params: { task_id: id }, body: { file_id } })).response.data;
  const runsOf = async ({ id }: AgentTask): Promise<AgentTaskRun[]> =>
    (await fixtures().testApp.call(fixtures().member, operations.listAgentTaskRuns, { params: { task_id: id }, query: { limit: "200" } })).response.data;
  async function waitForRun(task: AgentTask, isExpected: (run: AgentTaskRun) => boolean): Promise<AgentTaskRun> {
    for (;;) {
      const run = (await runsOf(task))[0];
      if (run && isExpected(run)) return run;
      await pause(INTERVAL_MS);
    }
  }
  const ended = (task: AgentTask) => waitForRun(task, ({ finished_at }) => finished_at !== null);
  async function messagesOf(accountId: number): Promise<string[]> {
    const { data } = (await fixtures().testApp.call(fixtures().member, chat.chatHistory, { body: { project_id: fixtures().home.project } })).response;
    return data.filter(({ account_id }) => account_id === accountId).map(({ body }) => body);
  }
  const setStatus = (file_id: number, status_id: number, by = fixtures().member) =>
    fixtures().testApp.call(by, files.setFileStatus, { body: { file_id, status_id } });
  async function createMix(name: string): Promise<number> {
    const id = await upload(fixtures().testApp, fixtures().member, { parent: fixtures().home.folder, name });
    await markProcessed(fixtures().testApp, id);
    const loudness = JSON.stringify({ integrated: -13.96, truePeak: -1.04 });
    await fixtures().testApp.database.write((tx) => tx.updateTable("file_versions").set({ loudness }).where("file_id", "=", id).execute());
    return id;
  }

  return { runNow, runsOf, waitForRun, ended, messagesOf, setStatus, createMix };
}
