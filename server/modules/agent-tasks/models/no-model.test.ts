/** Tests that a service without a language model refuses what needs one, also where a task is left from a time with one. */
import { expect, onTestFinished, test } from "vitest";
import type { AgentTask } from "../../../../contract/agent-task-records.ts";
import * as operations from "../../../../contract/operations/agent-tasks.ts";
import { getService } from "../../../../contract/operations/session.ts";
import { createAgent } from "../../../testing/agents.ts";
import { ENGINES } from "../../../testing/engines.ts";
import { createFixtures } from "../../../testing/fixtures.ts";

test.each(ENGINES)("a service without a model on %s refuses tasks that need one, and does the others", { timeout: 60_000 }, async (engine) => {
  const { testApp, admin, member, owner, home } = await createFixtures(engine);
  onTestFinished(() => testApp.close());
  expect((await testApp.call(member, getService, {})).response.data.features).not.toContain("agent-model");
  const agent = await createAgent(testApp, { createdBy: owner, projects: [home.project] });
  const body = { project_id: home.project, name: "A task", trigger: { type: "manual" as const } };
  const give = (content: object) => testApp.callUntyped(admin, operations.createAgentTask, { params: { agent_id: agent }, body: { ...body, ...content } });
  for (const content of [{ action: "summarize" }, { action: "answer", prompt: "What?" }, { action: "check_delivery", file_id: home.file, prompt: "Kindly" }])
    expect(await give(content)).toMatchObject({ status: 409, text: expect.stringContaining("No language model is configured") });
  const check = await give({ action: "check_delivery", file_id: home.file });
  expect(check.status).toBe(200);
  // As if the operator had removed the model.
  const { id } = (check.response as { data: AgentTask }).data;
  await testApp.database.write((tx) => tx.updateTable("agent_tasks").set({ action: "summarize" }).where("id", "=", id).execute());
  expect((await testApp.callUntyped(member, operations.runAgentTask, { params: { task_id: id }, body: {} })).status).toBe(409);
  const update = (state: string) => testApp.callUntyped(admin, operations.updateAgentTask, { params: { task_id: id }, body: { state } });
  expect([(await update("paused")).status, (await update("active")).status]).toEqual([200, 409]);
});
