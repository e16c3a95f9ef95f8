import type { Task } from "../../../contract/task-records.ts";

/** Builds a task for tests. */
export const buildTask = (id: number, changes: Partial<Task> = {}): Task => ({
  object: "task",
  id,
  title: `Task ${id}`,
  file_id: 7,
  assignee_account_id: null,
  due_date: null,
  closed: false,
  closed_at: null,
  position: id,
  created_by_account_id: 1,
  closed_by_account_id: null,
  created_at: "2026-03-02T09:00:00.000Z",
  revision: 1,
  project_id: 1,
  file_name: "mix.wav",
  file_is_folder: false,
  ...changes,
});
