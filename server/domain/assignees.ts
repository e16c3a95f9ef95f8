/** Those whose tasks have changed hear of it, wherever they look. */
import type { Tx } from "../db/schema.ts";
import { topicOf, type EventLog } from "../events/log.ts";

/** In order of id, so that two changes never wait for each other. */
export async function tellAssignees(tx: Tx, events: EventLog, projectId: number, assignees: readonly (number | null)[]): Promise<void> {
  const people = [...new Set(assignees.filter((id) => id !== null))].sort((a, b) => a - b);
  for (const id of people) await events.append(tx, topicOf.account(id), "tasks.changed", { project_id: projectId });
}
