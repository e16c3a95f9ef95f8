/** The matrix rows about agent tasks, in the format of `table.ts`, and their requests. */
import { createAgent, rejoinProject } from "../agents.ts";
import type { RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

export const AGENT_TASK_TABLE = `
listAgentTasks       of an agent in home            404 404 404 404 | 200: 404 | 403 200:h 200:h 200:h
listAgentTasks       of an agent in apart           404 404 404 404 | 200: 404 | 404 200: 200:a 200:a
createAgentTask      in home                        404 404 404 404 | 403 404 | 403 403 200 200
createAgentTask      in apart                       404 404 404 404 | 403 404 | 404 403 200 200
getAgentTask         in home                        404 404 404 404 | 404 404 | 403 200 200 200
getAgentTask         in foreign                     200 200 200 403 | 404 404 | 404 404 404 404
updateAgentTask      in home                        404 404 404 404 | 404 404 | 403 403 200 200
updateAgentTask      in apart                       404 404 404 404 | 404 404 | 404 404 200 200
deleteAgentTask      in home                        404 404 404 404 | 404 404 | 403 403 204 204
runAgentTask         in home                        404 404 404 404 | 404 404 | 403 200 200 200
runAgentTask         in foreign                     200 200 200 403 | 404 404 | 404 404 404 404
listAgentTaskRuns    in home                        404 404 404 404 | 404 404 | 403 200 200 200
getAgentTaskRun      in home                        404 404 404 404 | 404 404 | 403 200 200 200
getAgentTaskRun      in foreign                     200 200 200 403 | 404 404 | 404 404 404 404
cancelAgentTaskRun   in home                        404 404 404 404 | 404 404 | 403 200 200 200
cancelAgentTaskRun   in apart                       404 404 404 404 | 404 404 | 404 404 200 200
`;

export type ProjectKey = "home" | "apart" | "foreign";
const STEPS = [{ type: "post_message", text: "Hello" }];
const TRIGGER = { type: "manual" as const };

const agents = new WeakMap<Scenario, Map<ProjectKey, Promise<number>>>();
export async function agentIn(scenario: Scenario, key: ProjectKey): Promise<number> {
  const { fixtures } = scenario;
  const known = agents.get(scenario) ?? new Map<ProjectKey, Promise<number>>();
  agents.set(scenario, known);
  const createdBy = key === "foreign" ? fixtures.foreignOwner : fixtures.owner;
  const agent = known.get(key) ?? createAgent(fixtures.testApp, { createdBy, projects: [fixtures[key].project] });
  known.set(key, agent);
  const account_id = await agent;
  // Other rows take everybody but the people of the scenario out of its projects.
  await rejoinProject(fixtures.testApp, account_id, fixtures[key].project);
  return account_id;
}

/** Inserts a task of an agent that is in this project only, after deleting those of earlier rows. */
async function insertTask(scenario: Scenario, key: ProjectKey): Promise<number> {
  const { fixtures } = scenario;
  const agent_id = await agentIn(scenario, key);
  return fixtures.testApp.database.write(async (tx) => {
    await tx
      .deleteFrom("agent_task_runs")
      .where("task_id", "in", tx.selectFrom("agent_tasks").select("id").where("agent_id", "=", agent_id))
      .execute();
    await tx.deleteFrom("agent_tasks").where("agent_id", "=", agent_id).execute();
    const values = { agent_id, project_id: fixtures[key].project, name: "Matrix", action: "rule" as const, result: "message" as const };
    const stored = { trigger_type: TRIGGER.type, trigger_data: JSON.stringify(TRIGGER), steps: JSON.stringify(STEPS), state: "active" as const };
    const task = { ...values, ...stored, created_by: agent_id, created_at: 1, updated_at: 1 };
    return (await tx.insertInto("agent_tasks").values(task).returning("id").executeTakeFirstOrThrow()).id;
  });
}
async function insertRun(scenario: Scenario, key: ProjectKey): Promise<number> {
  const task_id = await insertTask(scenario, key);
  const run = { task_id, state: "waiting" as const, started_by: TRIGGER.type, created_at: 1 };
  return scenario.fixtures.testApp.database.write(
    async (tx) => (await tx.insertInto("agent_task_runs").values(run).returning("id").executeTakeFirstOrThrow()).id,
  );
}

const ofAgent =
  (key: ProjectKey, prepare: (scenario: Scenario) => Promise<object>): RequestBuilder =>
  async (scenario) => ({ ...(await prepare(scenario)), params: { agent_id: await agentIn(scenario, key) } });
const listed = (key: ProjectKey) => ofAgent(key, async (scenario) => (await insertTask(scenario, key), {}));
const created = (key: ProjectKey) =>
  ofAgent(key, async (scenario) => {
    await insertTask(scenario, key);
    return { body: { project_id: scenario.fixtures[key].project, action: "rule", name: "Matrix", trigger: TRIGGER, steps: STEPS } };
  });
const ofTask =
  (key: ProjectKey, body?: object): RequestBuilder =>
  async (scenario) => ({ params: { task_id: await insertTask(scenario, key) }, body });
const ofRun =
  (key: ProjectKey): RequestBuilder =>
  async (scenario) => ({ params: { run_id: await insertRun(scenario, key) } });

export const AGENT_TASK_REQUESTS: Record<string, RequestBuilder> = {
  "listAgentTasks of an agent in home": listed("home"),
  "listAgentTasks of an agent in apart": listed("apart"),
  "createAgentTask in home": created("home"),
  "createAgentTask in apart": created("apart"),
  "getAgentTask in home": ofTask("home"),
  "getAgentTask in foreign": ofTask("foreign"),
  "updateAgentTask in home": ofTask("home", { name: "Changed" }),
  "updateAgentTask in apart": ofTask("apart", { name: "Changed" }),
  "deleteAgentTask in home": ofTask("home"),
  "runAgentTask in home": ofTask("home", {}),
  "runAgentTask in foreign": ofTask("foreign", {}),
  "listAgentTaskRuns in home": ofTask("home"),
  "getAgentTaskRun in home": ofRun("home"),
  "getAgentTaskRun in foreign": ofRun("foreign"),
  "cancelAgentTaskRun in home": ofRun("home"),
  "cancelAgentTaskRun in apart": ofRun("apart"),
};
