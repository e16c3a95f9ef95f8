/** Deletes and restores projects. */
import * as z from "zod/mini";
import { deletedProject } from "../deleted-project-records.ts";
import { list, operation, single } from "../define-operation.ts";
import { project } from "../records.ts";
import { idInPath } from "../text.ts";

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
