import * as teams from "../../../../contract/operations/teams.ts";
import { iso, presentGroup, presentStatuses, presentTeam } from "../../../presenters/records.ts";
import { list, one } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";

export function teamRoutes(serve: Serve, services: Services): void {
  serve(teams.listTeams, async ({ actor }) => list((await services.teams.list(actor)).map((row) => presentTeam(row, actor.role))));
  serve(teams.listFileStatuses, async ({ actor, body }) => presentStatuses(await services.statuses.list(actor, body.team_id)));
  serve(teams.inviteMember, async ({ actor, body, repeat }) => {
    const wish = { teamId: body.team_id, role: body.role, projectIds: body.project_ids ?? [], email: body.email ?? null };
    const { url, expiresAt } = await services.invites.create(actor, wish, repeat);
    return one("invite", { ...(url === null ? {} : { url }), expires_at: iso(expiresAt) });
  });
  serve(teams.listGroups, async ({ actor, body }) => list((await services.teams.groups(actor, body.team_id)).map(presentGroup)));
  serve(teams.getGroup, async ({ actor, body }) => one("group", presentGroup(await services.teams.group(actor, body.group_id))));
  serve(teams.createGroup, async ({ actor, body, repeat }) => {
    const wish = { teamId: body.team_id, name: body.name, description: body.description ?? "" };
    return one("group", presentGroup(await services.teams.createGroup(actor, wish, repeat)));
  });
}
