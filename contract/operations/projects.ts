import * as z from "zod/mini";
import { operation, page, pageBody, pageQuery, single } from "../define-operation.ts";
import { colorInput, project, projectMember } from "../records.ts";
import { id, idInPath, line, text } from "../text.ts";

const projectResponse = single("project", project);
const params = z.object({ project_id: idInPath });

export const getProject = operation({
  method: "POST",
  path: "/v1/account/projects/get_info",
  group: "Projects",
  summary: "Get one project",
  source: "extension",
  scope: "account:read",
  rule: "project.read",
  body: z.object({ project_id: id }),
  response: projectResponse,
});
export const createProject = operation({
  method: "POST",
  path: "/v1/account/projects/create",
  group: "Projects",
  summary: "Create a project; whoever creates it is its first member",
  source: "extension",
  scope: "admin",
  rule: "project.create",
  cost: 5,
  body: z.object({ name: line(120), team_id: id, group_id: z.optional(z.nullable(id)), description: z.optional(text(2_000)) }),
  response: projectResponse,
  idempotent: true,
  errors: { 409: "The team has as many projects as it can have." },
});
export const listProjectsByGroup = operation({
  method: "POST",
  path: "/v1/account/projects/by_group",
  group: "Projects",
  summary: "List the projects of a group in pages, by name",
  source: "extension",
  scope: "account:read",
  rule: "group.read",
  body: z.object({ group_id: id, ...pageBody }),
  response: page(project),
});
export const listProjectsWithoutGroup = operation({
  method: "POST",
  path: "/v1/account/projects/non_group",
  group: "Projects",
  summary: "List a team's projects that are in no group, in pages, by name",
  source: "extension",
  scope: "account:read",
  rule: "team.read",
  body: z.object({ team_id: id, ...pageBody }),
  response: page(project),
});
export const listProjects = operation({
  method: "GET",
  path: "/api/v2/projects",
  group: "Projects",
  summary: "List every project that you see, in all teams",
  source: "extension",
  scope: "account:read",
  rule: "self",
  query: pageQuery,
  response: page(project),
});
export const updateProject = operation({
  method: "PATCH",
  path: "/api/v2/projects/{project_id}",
  group: "Projects",
  summary: "Rename, describe, move, color or archive a project; an archived one can only be read",
  source: "extension",
  scope: "admin",
  rule: "project.edit",
  params,
  body: z.object({
    name: z.optional(line(120)),
    description: z.optional(text(2_000)),
    group_id: z.optional(z.nullable(id)),
    color: colorInput,
    archived: z.optional(z.boolean()),
  }),
  response: projectResponse,
  errors: { 409: "The project is archived, and the request does not take it out of the archive." },
});
export const listProjectMembers = operation({
  method: "GET",
  path: "/api/v2/projects/{project_id}/members",
  group: "Projects",
  feature: "members",
  summary: "List the people of a project in pages, by name",
  source: "extension",
  scope: "account:read",
  rule: "project.read",
  params,
  query: pageQuery,
  response: page(projectMember),
});
export const addProjectMember = operation({
  method: "POST",
  path: "/api/v2/projects/{project_id}/members",
  group: "Projects",
  summary: "Add a person of the organization to a project; adding somebody again changes nothing",
  source: "extension",
  scope: "admin",
  rule: "project.member.add",
  params,
  body: z.object({ account_id: id }),
  response: single("project_member", projectMember),
  errors: { 403: "A token adds members and guests only if it has the scopes of everybody who joins." },
});
export const removeProjectMember = operation({
  method: "DELETE",
  path: "/api/v2/projects/{project_id}/members/{account_id}",
  group: "Projects",
  summary: "Remove a person from a project, or leave it",
  source: "extension",
  scope: "admin",
  rule: "project.member.remove",
  params: z.object({ project_id: idInPath, account_id: idInPath }),
  response: null,
});
