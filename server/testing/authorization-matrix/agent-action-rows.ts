/** The matrix rows about the log of what agents did, in the format of `table.ts`, and their requests. */
import { agentIn, type ProjectKey } from "./agent-task-rows.ts";
import type { RequestBuilder } from "./request-builder.ts";
import type { Scenario } from "./scenario.ts";

export const AGENT_ACTION_TABLE = `
listAgentActions     of an agent in home            404 404 404 404 | 200: 404 | 403 200:h 200:h 200:h
listAgentActions     of an agent in apart           404 404 404 404 | 200: 404 | 404 200: 200:a 200:a
undoAgentAction      in home                        404 404 404 404 | 404 404 | 403 200 200 200
undoAgentAction      in foreign                     200 200 200 403 | 404 404 | 404 404 404 404
undoAgentRun         in home                        404 404 404 404 | 404 404 | 403 200 200 200
undoAgentRun         in apart                       404 404 404 404 | 404 404 | 404 404 200 200
`;

const RUN = 777_777;

/** Inserts a task of an agent that is in this project only, as what it did, and forgets those of earlier rows. */
async function insertCreated(scenario: Scenario, key: ProjectKey): Promise<{ agent_id: number; action_id: number }> {
  const { fixtures } = scenario;
  const agent_id = await agentIn(scenario, key);
  const { project } = fixtures[key];
  return fixtures.testApp.database.write(async (tx) => {
    await tx.deleteFrom("agent_actions").where("agent_id", "=", agent_id).execute();
    const { root_folder_id } = await tx.selectFrom("projects").select("root_folder_id").where("id", "=", project).executeTakeFirstOrThrow();
    const task = { title: "Matrix", assignee_id: null, due_at: null };
    const values = { ...task, file_id: root_folder_id!, position: 1, created_by: agent_id, created_at: 1, closed_at: null, closed_by: null };
    const { id } = await tx.insertInto("tasks").values(values).returning("id").executeTakeFirstOrThrow();
    const target = { action: "task.created", target_type: "task", target_id: id, file_id: root_folder_id };
    const action = { agent_id, run_id: RUN, project_id: project, ...target, state_after: JSON.stringify({ ...task, closed: false }), created_at: 1 };
    const inserted = await tx.insertInto("agent_actions").values(action).returning("id").executeTakeFirstOrThrow();
    return { agent_id, action_id: inserted.id };
  });
}
const ofAgent =
  (key: ProjectKey): RequestBuilder =>
  async (scenario) => ({ params: { agent_id: (await insertCreated(scenario, key)).agent_id } });
const ofAction =
  (key: ProjectKey): RequestBuilder =>
  async (scenario) => ({ params: await insertCreated(scenario, key) });
const ofRun =
  (key: ProjectKey): RequestBuilder =>
  async (scenario) => ({ params: { agent_id: (await insertCreated(scenario, key)).agent_id, run_id: RUN } });

export const AGENT_ACTION_REQUESTS: Record<string, RequestBuilder> = {
  "listAgentActions of an agent in home": ofAgent("home"),
  "listAgentActions of an agent in apart": ofAgent("apart"),
  "undoAgentAction in home": ofAction("home"),
  "undoAgentAction in foreign": ofAction("foreign"),
  "undoAgentRun in home": ofRun("home"),
  "undoAgentRun in apart": ofRun("apart"),
};
