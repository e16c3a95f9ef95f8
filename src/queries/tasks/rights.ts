/** What somebody may do with a task, as the interface shows it. The service decides again for itself. */
import type { Role } from "../../../contract/records.ts";
import type { Task } from "../../../contract/task-records.ts";

export interface TaskRights {
  edits: boolean;
  deletes: boolean;
  /** Closes it and opens it again. */
  closes: boolean;
}

/** A guest changes what they wrote themselves, and closes what is theirs to do. */
export function taskRightsOf(task: Pick<Task, "created_by_account_id" | "assignee_account_id">, person: { accountId: number; role: Role }): TaskRights {
  const edits = person.role !== "guest" || task.created_by_account_id === person.accountId;
  return { edits, deletes: edits, closes: edits || task.assignee_account_id === person.accountId };
}
