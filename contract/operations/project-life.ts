/** Deleting and restoring projects, and changing and deleting groups. */
import * as z from "zod/mini";
import { list, operation, single } from "../define-operation.ts";
import { deletedProject } from "../project-life-records.ts";
import { colorInput, group, project } from "../records.ts";
import { idInPath, line, text } from "../text.ts";

const params = z.object({ project_id: idInPath });

export const deleteProject = operation({
  method: "DELETE",
  path: "/api/v2/projects/{project_id}",
  group: "Projects",
  summary: "Delete a project with everything in it; for 30 days it can be restored",
  source: "extension",
  scope: "admin",
  rule: "project.delete",
  params,
  response: single("deleted_project", deletedProject),
});
export const listDeletedProjects = operation({
  method: "GET",
  path: "/api/v2/deleted_projects",
  group: "Projects",
  summary: "List the deleted projects that you can restore, newest first",
  source: "extension",
  scope: "admin",
  rule: "project.list_deleted",
  response: list(deletedProject),
});
export const restoreProject = operation({
  method: "POST",
  path: "/api/v2/deleted_projects/{project_id}/restore",
  group: "Projects",
  summary: "Restore a deleted project with everything in it",
  source: "extension",
  scope: "admin",
  rule: "project.restore",
  params,
  response: single("project", project),
  errors: { 404: "It is not deleted, or too long ago, or you cannot see it.", 409: "The team has as many projects as it can have." },
});
export const updateGroup = operation({
  method: "PATCH",
  path: "/api/v2/groups/{group_id}",
  group: "Groups",
  summary: "Rename, describe or color a group",
  source: "extension",
  scope: "admin",
  rule: "group.edit",
  params: z.object({ group_id: idInPath }),
  body: z.object({ name: z.optional(line(120)), description: z.optional(text(2_000)), color: colorInput }),
  response: single("group", group),
  errors: { 409: "The name is taken." },
});
export const deleteGroup = operation({
  method: "DELETE",
  path: "/api/v2/groups/{group_id}",
  group: "Groups",
  summary: "Delete a group; its projects stay, without a group",
  source: "extension",
  scope: "admin",
  rule: "group.delete",
  params: z.object({ group_id: idInPath }),
  response: null,
});
