/** Wire records of tasks on a file or folder, all of them extensions. */
import * as z from "zod/mini";
import { LIMITS } from "./limits.ts";
import { day, id, line, timestamp, withDescription } from "./text.ts";

export const taskTitle = line(LIMITS.task_title_characters);
export const taskAssignee = withDescription(z.nullable(id), "somebody who sees the project");
export const taskDueDate = withDescription(z.nullable(day), "a day: 2026-03-02, or its midnight in UTC");

/** `due_date` is a day, given as its midnight in UTC. Webhook events carry the same fields. */
export const task = z.looseObject({
  object: z.literal("task"),
  id,
  title: z.string(),
  file_id: id,
  assignee_account_id: z.nullable(id),
  due_date: z.nullable(timestamp),
  closed: z.boolean(),
  closed_at: z.nullable(timestamp),
  /** Starts at 1 within the file. */
  position: z.int(),
  created_by_account_id: id,
  closed_by_account_id: z.nullable(id),
  created_at: timestamp,
  revision: z.int(),
  project_id: id,
  file_name: z.string(),
  file_is_folder: z.boolean(),
});

/** A task of a template; it is due `due_days` days after the template is loaded. */
export const templateTask = z.looseObject({ title: z.string(), due_days: z.nullable(z.int()) });
export const taskTemplate = z.looseObject({ id, name: z.string(), team_id: id, tasks: z.array(templateTask) });

export type Task = z.infer<typeof task>;
export type TaskTemplate = z.infer<typeof taskTemplate>;
