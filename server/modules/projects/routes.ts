/** Routes of teams, groups, projects and invites. */
import * as deletion from "../../../contract/operations/deleted-projects.ts";
import * as projects from "../../../contract/operations/projects.ts";
import * as resources from "../../../contract/operations/resources.ts";
import * as teams from "../../../contract/operations/teams.ts";
import type { SessionCookie } from "../../http/authenticator.ts";
import { encodeCursor, parseBodyPage, parsePage } from "../../http/paging.ts";
import { list, single } from "../../http/responses.ts";
import type { Actor } from "../../access/access.ts";
import type { Route } from "../../http/route.ts";
import { iso } from "../../lib/iso-time.ts";
import { presentAccount } from "../accounts/presenter.ts";
import { deviceOf, openSession } from "../accounts/routes.ts";
import { presentDeletedProject, presentGroup, presentInvite, presentProject, presentTeam, type ProjectForReader } from "./presenter.ts";
import type { ProjectMemberRow } from "./projects.ts";
import type { ProjectServices } from "./services.ts";

export function registerProjectRoutes(route: Route, services: ProjectServices, cookie: SessionCookie, publicUrl: string): void {
  registerProjects(route, services, publicUrl);
  registerTeams(route, services);
  registerInvites(route, services, cookie, publicUrl);
}

function registerProjects(route: Route, services: ProjectServices, publicUrl: string): void {
  const presentPerson = (person: ProjectMemberRow) => ({ ...presentAccount(person, publicUrl), role: person.role, added_at: iso(person.added_at) });
  route(projects.listProjects, async ({ actor, query }) => {
    const { after, limit } = parsePage(query);
    const page = await services.projects.list(actor, after, limit);
    return list(
      page.projects.map((row) => presentProject(row, actor.role)),
      { next_cursor: encodeCursor(page.next) },
    );
  });
  route(projects.updateProject, async ({ actor, params, body }) => {
    const { name, description, group_id: groupId, color, archived } = body;
    return single(
      "project",
      presentProject(await services.projects.update(actor, params.project_id, { name, description, groupId, color, archived }), actor.role),
    );
  });
  route(deletion.deleteProject, async ({ actor, params }) =>
    single("deleted_project", presentDeletedProject(await services.deletedProjects.remove(actor, params.project_id))),
  );
  route(deletion.listDeletedProjects, async ({ actor }) => list((await services.deletedProjects.list(actor)).map(presentDeletedProject)));
  route(deletion.restoreProject, async ({ actor, params }) =>
    single("project", presentProject(await services.deletedProjects.restore(actor, params.project_id), actor.role)),
  );
  route(projects.listProjectMembers, async ({ actor, params, query }) => {
    const { rows, next } = await services.projects.members(actor, params.project_id, parsePage(query));
    return list(rows.map(presentPerson), { next_cursor: encodeCursor(next) });
  });
  route(projects.addProjectMember, async ({ actor, params, body }) =>
    single("project_member", presentPerson(await services.projects.addMember(actor, params.project_id, body.account_id))),
  );
  route(projects.removeProjectMember, ({ actor, params }) => services.projects.removeMember(actor, params.project_id, params.account_id).then(() => undefined));
  route(projects.getProject, async ({ actor, body }) => single("project", presentProject(await services.projects.get(actor, body.project_id), actor.role)));
  route(resources.getProjectV2, async ({ actor, params }) =>
    single("project", presentProject(await services.projects.get(actor, params.project_id), actor.role)),
  );
  for (const operation of [projects.createProject, resources.createProjectV2])
    route(operation, async ({ actor, body, idempotencyKey }) => {
      const input = { teamId: body.team_id, groupId: body.group_id ?? null, name: body.name, description: body.description ?? "" };
      return single("project", presentProject(await services.projects.create(actor, input, idempotencyKey), actor.role));
    });
  const presentProjects = (actor: Actor, { rows, next }: { rows: ProjectForReader[]; next: number | null }) =>
    list(
      rows.map((row) => presentProject(row, actor.role)),
      { next_cursor: encodeCursor(next) },
    );
  route(projects.listProjectsByGroup, async ({ actor, body }) =>
    presentProjects(actor, await services.projects.listByGroup(actor, body.group_id, parseBodyPage(body))),
  );
  route(projects.listProjectsWithoutGroup, async ({ actor, body }) =>
    presentProjects(actor, await services.projects.listWithoutGroup(actor, body.team_id, parseBodyPage(body))),
  );
}

function registerTeams(route: Route, services: ProjectServices): void {
  route(teams.listTeams, async ({ actor }) => list((await services.teams.list(actor)).map((row) => presentTeam(row, actor.role))));
  route(teams.listGroups, async ({ actor, body }) => {
    const { rows, next } = await services.teams.groups(actor, body.team_id, parseBodyPage(body));
    return list(rows.map(presentGroup), { next_cursor: encodeCursor(next) });
  });
  route(teams.getGroup, async ({ actor, body }) => single("group", presentGroup(await services.teams.group(actor, body.group_id))));
  for (const operation of [teams.createGroup, resources.createGroupV2])
    route(operation, async ({ actor, body, idempotencyKey }) => {
      const input = { teamId: body.team_id, name: body.name, description: body.description ?? "" };
      return single("group", presentGroup(await services.teams.createGroup(actor, input, idempotencyKey)));
    });
  route(teams.updateGroup, async ({ actor, params, body }) => single("group", presentGroup(await services.teams.updateGroup(actor, params.group_id, body))));
  route(teams.deleteGroup, ({ actor, params }) => services.teams.deleteGroup(actor, params.group_id).then(() => undefined));
  route(resources.getGroupV2, async ({ actor, params }) => single("group", presentGroup(await services.teams.group(actor, params.group_id))));
  route(resources.listGroupsV2, async ({ actor, query }) => {
    const { after, limit } = parsePage(query);
    const { rows, next } = await services.teams.groupPage(actor, query.team_id ?? null, after, limit);
    return list(rows.map(presentGroup), { next_cursor: encodeCursor(next) });
  });
  route(resources.getTeam, async ({ actor, params }) => single("team", presentTeam(await services.teams.get(actor, params.team_id), actor.role)));
  route(resources.listTeamsV2, async ({ actor, query }) => {
    const { after, limit } = parsePage(query);
    const { rows, next } = await services.teams.page(actor, after, limit);
    return list(
      rows.map((row) => presentTeam(row, actor.role)),
      { next_cursor: encodeCursor(next) },
    );
  });
}

function registerInvites(route: Route, { invites }: ProjectServices, cookie: SessionCookie, publicUrl: string): void {
  route(teams.inviteMember, async ({ actor, body, idempotencyKey }) => {
    const input = { teamId: body.team_id, role: body.role, projectIds: body.project_ids ?? [], email: body.email ?? null };
    const { url, expiresAt } = await invites.create(actor, input, idempotencyKey);
    return single("invite", { ...(url === null ? {} : { url }), expires_at: iso(expiresAt) });
  });
  route(teams.acceptInvite, async ({ body, request, reply }) =>
    openSession({ cookie, publicUrl }, reply, await invites.accept(body.token, body, deviceOf(request))),
  );
  route(teams.previewInvite, async ({ body, request }) => {
    const { invite, organisation, invitedBy, projects: projectNames } = await invites.preview(body.token, deviceOf(request));
    return single("invite_preview", {
      organisation,
      invited_by: invitedBy,
      role: invite.role,
      email: invite.email,
      projects: projectNames,
      expires_at: iso(invite.expires_at),
    });
  });
  route(teams.listInvites, async ({ actor }) => list((await invites.list(actor)).map(presentInvite)));
  route(teams.revokeInvite, ({ actor, params }) => invites.revoke(actor, params.invite_id).then(() => undefined));
}
