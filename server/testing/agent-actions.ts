/** Inserts what agents did, for tests. */
import type { Tx } from "../db/schema.ts";

interface ActionInput {
  agent: number;
  project: number;
  message: number;
  run?: number | null;
}

/** Inserts a message of the agent. */
export async function insertAgentMessage(tx: Tx, project: number, agent: number): Promise<number> {
  const message = {
    project_id: project,
    account_id: agent,
    type: "message",
    is_audio_message: 0 as const,
    revision: 1,
    created_at: 1,
    body: "Posted by an agent",
  };
  return (await tx.insertInto("messages").values(message).returning("id").executeTakeFirstOrThrow()).id;
}

/** Inserts the action that posted the message. */
export async function insertAction(tx: Tx, { agent, project, message, run = null }: ActionInput): Promise<number> {
  const values = { agent_id: agent, run_id: run, project_id: project, action: "message.created", target_type: "message", target_id: message, file_id: null };
  return (
    await tx
      .insertInto("agent_actions")
      .values({ ...values, state_after: JSON.stringify({ edited_at: null, deleted_at: null }), created_at: 1 })
      .returning("id")
      .executeTakeFirstOrThrow()
  ).id;
}
