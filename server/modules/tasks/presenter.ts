/** Presents tasks and task templates as wire records, for responses, live events and webhook bodies. */
import type * as wire from "../../../contract/task-records.ts";
import type { Row } from "../../db/schema.ts";
import { iso, isoOrNull } from "../../lib/iso-time.ts";

/** A task with its file or folder. */
export interface TaskView {
  task: Row<"tasks">;
  file: Pick<Row<"files">, "id" | "project_id" | "name" | "is_folder">;
}

/** A task of a template, as stored in the template's row. */
export type TemplateTask = wire.TaskTemplate["tasks"][number];

export const presentTask = ({ task, file }: TaskView): wire.Task => ({
  object: "task",
  id: task.id,
  title: task.title,
  file_id: task.file_id,
  assignee_account_id: task.assignee_id,
  due_date: isoOrNull(task.due_at),
  closed: task.closed_at !== null,
  closed_at: isoOrNull(task.closed_at),
  position: task.position,
  created_by_account_id: task.created_by,
  closed_by_account_id: task.closed_by,
  created_at: iso(task.created_at),
  revision: task.revision,
  project_id: file.project_id,
  file_name: file.name,
  file_is_folder: file.is_folder === 1,
});

export const parseTemplateTasks = (template: Row<"task_templates">): TemplateTask[] => JSON.parse(template.tasks) as TemplateTask[];

export const presentTaskTemplate = (template: Row<"task_templates">): wire.TaskTemplate => ({
  id: template.id,
  name: template.name,
  team_id: template.team_id,
  tasks: parseTemplateTasks(template),
});
