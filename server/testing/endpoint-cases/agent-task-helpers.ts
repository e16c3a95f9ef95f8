/** Creates what the endpoint cases of agent tasks act upon. */
import { createAgent, rejoinProject } from "../agents.ts";
import type { UntypedInput } from "../client.ts";
import type { Fixtures } from "../fixtures.ts";
import { BAD_LIMIT_IN_QUERY, type EndpointCase } from "./case.ts";

export const BAD_PAGE_IN_QUERY = { "query.cursor": ["x", ""], "query.limit": BAD_LIMIT_IN_QUERY };
export const STEP = { type: "post_message", text: "{file}: {loudness}" };

const agents = new WeakMap<Fixtures, Promise<number>>();
/** An agent of `home`, created once per set of fixtures. */
export async function agentOf(fixtures: Fixtures): Promise<number> {
  const { testApp, owner, home } = fixtures;
  const created = agents.get(fixtures) ?? createAgent(testApp, { createdBy: owner, projects: [home.project] });
  agents.set(fixtures, created);
  const agent = await created;
  await rejoinProject(testApp, agent, home.project);
  return agent;
}
export const foreignAgent = ({ testApp, foreign, foreignOwner }: Fixtures): Promise<number> =>
  createAgent(testApp, { createdBy: foreignOwner, projects: [foreign.project] });

/** Inserts a task, after deleting those of earlier cases because of the limit per agent. */
export async function insertTask(fixtures: Fixtures, where: { agent: number; project: number; owner: number }): Promise<number> {
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
export const createTask = async (fixtures: Fixtures): Promise<number> =>
  insertTask(fixtures, { agent: await agentOf(fixtures), project: fixtures.home.project, owner: fixtures.owner.id });
export const createForeignTask = async (fixtures: Fixtures): Promise<number> =>
  insertTask(fixtures, { agent: await foreignAgent(fixtures), project: fixtures.foreign.project, owner: fixtures.foreignOwner.id });
export const insertRun = ({ testApp }: Fixtures, task_id: number): Promise<number> =>
  testApp.database.write(async (tx) => {
    const values = { task_id, state: "waiting" as const, started_by: "manual" as const, created_at: testApp.clock.now() };
    return (await tx.insertInto("agent_task_runs").values(values).returning("id").executeTakeFirstOrThrow()).id;
  });
export const createRun = async (fixtures: Fixtures): Promise<number> => insertRun(fixtures, await createTask(fixtures));

export const withTask = async (fixtures: Fixtures, input: UntypedInput = {}) => ({ params: { task_id: await createTask(fixtures) }, ...input });
export const inaccessibleTasks = (input: UntypedInput = {}): EndpointCase["rejectedRequests"] => [
  ["a task of another organization", async (fixtures) => ({ ...input, params: { task_id: await createForeignTask(fixtures) } }), 404],
  ["a task that does not exist", () => ({ ...input, params: { task_id: 999_999 } }), 404],
];
export const inaccessibleRuns = (input: UntypedInput = {}): EndpointCase["rejectedRequests"] => [
  ["a run of another organization", async (fixtures) => ({ ...input, params: { run_id: await insertRun(fixtures, await createForeignTask(fixtures)) } }), 404],
  ["a run that does not exist", () => ({ ...input, params: { run_id: 999_999 } }), 404],
];
export const inaccessibleAgents = (input: (fixtures: Fixtures) => UntypedInput): EndpointCase["rejectedRequests"] => [
  ["an agent of another organization", async (fixtures) => ({ ...input(fixtures), params: { agent_id: await foreignAgent(fixtures) } }), 404],
  ["an account that is no agent", (fixtures) => ({ ...input(fixtures), params: { agent_id: fixtures.member.id } }), 404],
];
