/**
 * Plain create, get and list of projects, messages, tasks, groups and teams in resource style, for clients that use only version 2. Those that create
 * have the body of their counterpart in version 1, without what the path names; tasks are created one at a time. Names end in V2 where an operation of
 * version 1 has the name already.
 */
import * as z from "zod/mini";
import { operation, page, pageQuery, single } from "../define-operation.ts";
import { group, message, project, team } from "../records.ts";
import { task, taskAssignee, taskDueDate, taskTitle } from "../task-records.ts";
import { id, idInPath, withDescription } from "../text.ts";
import { sendMessage } from "./chat.ts";
import { createProject } from "./projects.ts";
import { createGroup } from "./teams.ts";

const projectParams = z.object({ project_id: idInPath });
const read = { method: "GET", source: "extension", scope: "account:read" } as const;

export const createProjectV2 = operation({ ...createProject, path: "/api/v2/projects" });
export const getProjectV2 = operation({
  ...read,
  path: "/api/v2/projects/{project_id}",
  group: "Projects",
  summary: "Get one project",
  rule: "project.read",
  params: projectParams,
  response: single("project", project),
});

export const createMessage = operation({
  ...sendMessage,
  path: "/api/v2/projects/{project_id}/messages",
  params: projectParams,
  body: z.omit(sendMessage.body, { project_id: true }),
});
export const getMessage = operation({
  ...read,
  path: "/api/v2/projects/{project_id}/messages/{message_id}",
  group: "Chat",
  summary: "Get one message; a deleted one is not found",
  scope: "chat:read",
  rule: "chat.read",
  params: z.object({ ...projectParams.shape, message_id: idInPath }),
  response: single("message", message),
});

export const createTask = operation({
  method: "POST",
  path: "/api/v2/tasks",
  group: "Tasks",
  summary: "Create a task on a file, a folder or a project; that of a project is on its root folder",
  source: "extension",
  scope: "files:write",
  furtherScopes: ["files:read"],
  rule: "task.create",
  body: z
    .object({
      file_id: z.optional(id),
      project_id: withDescription(z.optional(id), "instead of file_id"),
      title: taskTitle,
      assignee_account_id: z.optional(taskAssignee),
      due_date: z.optional(taskDueDate),
    })
    .check(z.refine((body) => (body.file_id === undefined) !== (body.project_id === undefined), { message: "needs either file_id or project_id" })),
  response: single("task", task),
  idempotent: true,
  errors: { 409: "The file has as many tasks as it can have." },
});

export const listGroupsV2 = operation({
  ...read,
  path: "/api/v2/groups",
  group: "Groups",
  summary: "List the groups that you see, in all teams or in one",
  rule: "team.read",
  query: z.object({ team_id: z.optional(idInPath), ...pageQuery.shape }),
  response: page(group),
});
export const createGroupV2 = operation({ ...createGroup, path: "/api/v2/groups" });
export const getGroupV2 = operation({
  ...read,
  path: "/api/v2/groups/{group_id}",
  group: "Groups",
  summary: "Get one group",
  rule: "group.read",
  params: z.object({ group_id: idInPath }),
  response: single("group", group),
});

export const listTeamsV2 = operation({
  ...read,
  path: "/api/v2/teams",
  group: "Teams",
  summary: "List your teams",
  rule: "self",
  query: pageQuery,
  response: page(team),
});
export const getTeam = operation({
  ...read,
  path: "/api/v2/teams/{team_id}",
  group: "Teams",
  summary: "Get one team",
  rule: "team.read",
  params: z.object({ team_id: idInPath }),
  response: single("team", team),
});
