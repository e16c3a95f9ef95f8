/** Those whose tasks have changed hear of it, wherever they look. */
import type { Tx } from "../db/schema.ts";
import { topicOf, type EventLog } from "../events/log.ts";

/** In order of id, so that two changes never wait for each other. */
export async function publishTasksChanged(tx: Tx, events: EventLog, projectId: number, assignees: readonly (number | null)[]): Promise<void> {
  const accountIds = [...new Set(assignees.filter((id) => id !== null))].sort((a, b) => a - b);
  for (const id of accountIds) await events.append(tx, topicOf.account(id), "tasks.changed", { project_id: projectId });
}
