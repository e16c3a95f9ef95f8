/** Tests that a request with an Idempotency-Key creates one task, or starts one run, however often it arrives. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as operations from "../../../contract/operations/agent-tasks.ts";
import { createAgent } from "../../testing/agents.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

const TIMES = 20;
const repeat = <T>(send: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: TIMES }, send));

describe.each(ENGINES)("repeated requests on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  test("create one task and start one run", async () => {
    const { testApp, admin, owner, home } = fixtures;
    const agent_id = await createAgent(testApp, { createdBy: owner, projects: [home.project] });
    const headers = { "idempotency-key": "once" };
    const steps = [{ type: "post_message" as const, text: "Hello" }];
    const body = { project_id: home.project, name: "A rule", action: "rule" as const, trigger: { type: "manual" as const }, steps };
    const created = await repeat(() => testApp.call(admin, operations.createAgentTask, { params: { agent_id }, body }, { headers }));
    const taskIds = new Set(created.map(({ response }) => response.data.id));
    const [task_id = 0] = taskIds;
    const started = await repeat(() => testApp.call(admin, operations.runAgentTask, { params: { task_id }, body: {} }, { headers }));
    const runIds = new Set(started.map(({ response }) => response.data.id));
    expect([taskIds.size, runIds.size]).toEqual([1, 1]);
    const count = async (table: "agent_tasks" | "agent_task_runs") => (await testApp.database.read.selectFrom(table).select("id").execute()).length;
    expect([await count("agent_tasks"), await count("agent_task_runs")]).toEqual([1, 1]);
    const other = await testApp.callUntyped(admin, operations.createAgentTask, { params: { agent_id }, body: { ...body, name: "Another" } }, { headers });
    expect(other.status).toBe(409);
  });
});
