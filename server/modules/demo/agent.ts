/** Creates the demo's agent, with a task that posts the loudness of approved mixes, and runs the task once for a mix of the story. */
import { setTimeout as sleep } from "node:timers/promises";
import { APPROVED_MIX_TASK } from "../../../contract/approved-mix-task.ts";
import { createAgentTask, runAgentTask } from "../../../contract/operations/agent-tasks.ts";
import { listMembers } from "../../../contract/operations/accounts.ts";
import { createAgent } from "../../../contract/operations/agents.ts";
import { listFiles } from "../../../contract/operations/files-view.ts";
import type { Database } from "../../db/database.ts";
import { SECOND } from "../../lib/clock.ts";
import type { ApiCall } from "./api.ts";
import type { DemoRun } from "./run.ts";
import type { DemoUsers } from "./users.ts";

const NAME = "Mix bot";
const MIX = "Nightdrive mix";
/** How long the demo waits for the agent's message. A later one appears while people look. */
const RUN_TIMEOUT_MS = 20 * SECOND;
const POLL_INTERVAL_MS = 300;

interface AgentContext {
  run: DemoRun;
  users: DemoUsers;
  /** Calls with a session of the owner: no token creates agents. */
  ownerInBrowser: ApiCall;
  projectId: number;
  statuses: ReadonlyMap<string, number>;
}

/** Returns the id of the task's run; 0 if the organization has somebody of the agent's name, whom the demo does not touch. */
export async function createDemoAgent({ run, users, ownerInBrowser, projectId, statuses }: AgentContext): Promise<number> {
  const owner = users.owner.call;
  const keyOf = (record: string) => `demo-${run.beganAt}-${record}`;
  const agentId = await run.getOrCreate("agent", async () => {
    const user_info = "Posts the loudness of approved mixes, and asks for the master.";
    const scopes = ["account:read", "chat:read", "chat:write", "files:read", "files:write"] as const;
    const body = { username: NAME, user_info, role: "member" as const, scopes: [...scopes], project_ids: [projectId] };
    const taken = async (error: unknown) => {
      if ((await owner(listMembers, { query: { limit: "200" } })).data.some(({ username }) => username === NAME)) return { data: { id: 0 } };
      throw error;
    };
    return (await ownerInBrowser(createAgent, { body, key: keyOf("agent") }).catch(taken)).data.id;
  });
  if (agentId === 0) return 0;
  const taskId = await run.getOrCreate("agent task", async () => {
    const { name, status, steps } = APPROVED_MIX_TASK;
    const trigger = { type: "event", event: "file.status_changed", status_id: statuses.get(status) ?? null, file_kind: "audio" } as const;
    const body = {
      project_id: projectId,
      action: "rule" as const,
      name,
      trigger,
      steps: steps.map((step) => (step.type === "create_task" ? { ...step, assignee_account_id: users.sara.id, due_in_days: 3 } : step)),
    };
    return (await owner(createAgentTask, { params: { agent_id: agentId }, body, key: keyOf("agent-task") })).data.id;
  });
  return run.getOrCreate("agent run", async () => {
    const query = { q: MIX, kind: "audio", deep: "true" } as const;
    const file_id = (await owner(listFiles, { params: { project_id: projectId }, query })).data[0]?.id ?? null;
    return (await owner(runAgentTask, { params: { task_id: taskId }, body: { file_id }, key: keyOf("agent-run") })).data.id;
  });
}

/** Waits until the run has ended, so that the agent's message is there when the demo is opened. */
export async function awaitAgentRun(database: Database, id: number): Promise<void> {
  const deadline = Date.now() + RUN_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const run = await database.read.selectFrom("agent_task_runs").select("finished_at").where("id", "=", id).executeTakeFirst();
    if (!run || run.finished_at !== null) return;
    await sleep(POLL_INTERVAL_MS);
  }
}
