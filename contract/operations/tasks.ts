import * as z from "zod/mini";
import { list, operation, page, pageQuery, single } from "../define-operation.ts";
import { LIMITS } from "../limits.ts";
import { task, taskAssignee, taskDueDate, taskTemplate, taskTitle } from "../task-records.ts";
import { withDescription, id, idInPath, line } from "../text.ts";

const booleanText = z.enum(["true", "false"]);
const params = z.object({ task_id: idInPath });

export const getTaskTemplate = operation({
  method: "POST",
  path: "/v1/tasks/get_template",
  group: "Tasks",
  summary: "Get a task template",
  source: "extension",
  scope: "files:read",
  rule: "team.read",
  body: z.object({ template_id: id }),
  response: single("task_template", taskTemplate),
});
export const loadTasksFromTemplate = operation({
  method: "POST",
  path: "/v1/tasks/load_from_template",
  group: "Tasks",
  summary: "Create a template's tasks on a file or folder; rejected with 409 for a folder with task_load_protection and for what lies directly in it",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "task.create",
  cost: 3,
  body: z.object({ template_id: id, file_id: id }),
  response: list(task),
  idempotent: true,
  errors: { 409: "The folder is protected from templates, or the file has as many tasks as it can have." },
});
export const listFolderTasks = operation({
  method: "POST",
  path: "/v1/tasks/by_folder",
  group: "Tasks",
  summary: "The tasks of a folder and of all that is in it, or of a file; `has_more`: there are more than fit into one answer, which the paged list has",
  source: "extension",
  scope: "files:read",
  rule: "task.read",
  cost: 2,
  body: z.object({ file_id: id }),
  response: z.looseObject({ ...list(task).shape, has_more: z.optional(z.boolean()) }),
});
export const createTasks = operation({
  method: "POST",
  path: "/v1/tasks/create",
  group: "Tasks",
  summary: "Create tasks on a file or folder, all or none",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "task.create",
  cost: 3,
  body: z.object({
    file_id: id,
    tasks: z
      .array(z.object({ title: taskTitle, assignee_account_id: z.optional(taskAssignee), due_date: z.optional(taskDueDate) }))
      .check(z.minLength(1), z.maxLength(LIMITS.tasks_per_request)),
  }),
  response: list(task),
  idempotent: true,
  errors: { 409: "The file has as many tasks as it can have." },
});

export const listTasks = operation({
  method: "GET",
  path: "/api/v2/tasks",
  group: "Tasks",
  summary: "Tasks that you see, newest first",
  source: "extension",
  scope: "files:read",
  rule: "task.read",
  cost: 2,
  query: z.object({
    mine: withDescription(z.optional(booleanText), "true: only those that are yours to do"),
    closed: withDescription(z.optional(booleanText), "only closed ones, or only open ones"),
    file_id: withDescription(z.optional(idInPath), "of a folder and of all that is in it, or of a file"),
    project_id: withDescription(z.optional(idInPath), "of a project"),
    ...pageQuery.shape,
  }),
  response: page(task),
});
export const getTask = operation({
  method: "GET",
  path: "/api/v2/tasks/{task_id}",
  group: "Tasks",
  summary: "One task",
  source: "extension",
  scope: "files:read",
  rule: "task.read",
  params,
  response: single("task", task),
});
export const updateTask = operation({
  method: "PATCH",
  path: "/api/v2/tasks/{task_id}",
  group: "Tasks",
  summary: "Edit, close or reopen; sends task.closed if it really was closed",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "task.edit",
  params,
  body: z.object({
    title: z.optional(taskTitle),
    assignee_account_id: z.optional(taskAssignee),
    due_date: z.optional(taskDueDate),
    closed: z.optional(z.boolean()),
  }),
  response: single("task", task),
});
export const deleteTask = operation({
  method: "DELETE",
  path: "/api/v2/tasks/{task_id}",
  group: "Tasks",
  summary: "Delete a task",
  source: "extension",
  scope: "files:write",
  rule: "task.delete",
  params,
  response: null,
});

export const listTaskTemplates = operation({
  method: "GET",
  path: "/api/v2/task-templates",
  group: "Tasks",
  summary: "A team's task templates, by name",
  source: "extension",
  scope: "files:read",
  rule: "team.read",
  query: z.object({ team_id: idInPath }),
  response: list(taskTemplate),
});
export const createTaskTemplate = operation({
  method: "POST",
  path: "/api/v2/task-templates",
  group: "Tasks",
  summary: "Create a task template",
  source: "extension",
  scope: "files:write",
  rule: "task_template.manage",
  body: z.object({
    team_id: id,
    name: line(100),
    tasks: z
      .array(
        z.object({
          title: taskTitle,
          due_days: withDescription(
            z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(3_650)))),
            "the number of days from loading the template until the task is due",
          ),
        }),
      )
      .check(z.minLength(1), z.maxLength(LIMITS.tasks_per_request)),
  }),
  response: single("task_template", taskTemplate),
  idempotent: true,
  errors: { 409: "The name is taken, or the team has as many templates as it can have." },
});
export const deleteTaskTemplate = operation({
  method: "DELETE",
  path: "/api/v2/task-templates/{template_id}",
  group: "Tasks",
  summary: "Delete a task template; tasks that were made from it stay",
  source: "extension",
  scope: "files:write",
  rule: "task_template.manage",
  params: z.object({ template_id: idInPath }),
  response: null,
});
