import * as teams from "../../../../contract/operations/teams.ts";
import { iso, presentGroup, presentStatuses, presentTeam } from "../../../presenters/records.ts";
import { list, record } from "../../answers.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";

export function teamRoutes(route: Route, services: Services): void {
  route(teams.listTeams, async ({ actor }) => list((await services.teams.list(actor)).map((row) => presentTeam(row, actor.role))));
  route(teams.listFileStatuses, async ({ actor, body }) => presentStatuses(await services.statuses.list(actor, body.team_id)));
  route(teams.inviteMember, async ({ actor, body, idempotencyKey }) => {
    const input = { teamId: body.team_id, role: body.role, projectIds: body.project_ids ?? [], email: body.email ?? null };
    const { url, expiresAt } = await services.invites.create(actor, input, idempotencyKey);
    return record("invite", { ...(url === null ? {} : { url }), expires_at: iso(expiresAt) });
  });
  route(teams.listGroups, async ({ actor, body }) => list((await services.teams.groups(actor, body.team_id)).map(presentGroup)));
  route(teams.getGroup, async ({ actor, body }) => record("group", presentGroup(await services.teams.group(actor, body.group_id))));
  route(teams.createGroup, async ({ actor, body, idempotencyKey }) => {
    const input = { teamId: body.team_id, name: body.name, description: body.description ?? "" };
    return record("group", presentGroup(await services.teams.createGroup(actor, input, idempotencyKey)));
  });
}
