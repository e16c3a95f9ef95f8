/** What somebody may do with a task, as the interface shows it. The service decides again for itself. */
import type { Role } from "../../../contract/records.ts";
import type { Task } from "../../../contract/task-records.ts";

export interface TaskPermissions {
  canEdit: boolean;
  canDelete: boolean;
  /** Closes it and opens it again. */
  canClose: boolean;
}

/** A guest changes what they wrote themselves, and closes what is theirs to do. */
export function taskPermissionsOf(
  task: Pick<Task, "created_by_account_id" | "assignee_account_id">,
  person: { accountId: number; role: Role },
): TaskPermissions {
  const canEdit = person.role !== "guest" || task.created_by_account_id === person.accountId;
  return { canEdit, canDelete: canEdit, canClose: canEdit || task.assignee_account_id === person.accountId };
}
