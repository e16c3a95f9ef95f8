/** Publishes task changes to the assignees' account topics, so that they arrive regardless of what an assignee has open. */
import type { Tx } from "../db/schema.ts";
import { topicOf, type EventLog } from "../events/log.ts";

/** Appends in order of id, so that two concurrent changes never deadlock. */
export async function publishTasksChanged(tx: Tx, events: EventLog, projectId: number, assignees: readonly (number | null)[]): Promise<void> {
  const accountIds = [...new Set(assignees.filter((id) => id !== null))].sort((a, b) => a - b);
  for (const id of accountIds) await events.append(tx, topicOf.account(id), "tasks.changed", { project_id: projectId });
}
