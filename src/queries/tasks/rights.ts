/** Decides what the interface offers a user for a task; the service checks every request again. */
import type { Role } from "../../../contract/records.ts";
import type { Task } from "../../../contract/task-records.ts";

export interface TaskPermissions {
  canEdit: boolean;
  canDelete: boolean;
  /** Closes and reopens the task. */
  canClose: boolean;
}

/** Guests may change tasks that they created, and also close those assigned to them. */
export function taskPermissionsOf(
  task: Pick<Task, "created_by_account_id" | "assignee_account_id">,
  person: { accountId: number; role: Role },
): TaskPermissions {
  const canEdit = person.role !== "guest" || task.created_by_account_id === person.accountId;
  return { canEdit, canDelete: canEdit, canClose: canEdit || task.assignee_account_id === person.accountId };
}
