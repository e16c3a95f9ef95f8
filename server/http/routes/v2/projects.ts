import * as projects from "../../../../contract/operations/projects.ts";
import type { ProjectMemberRow } from "../../../domain/projects/service.ts";
import { iso, presentAccount, presentProject } from "../../../presenters/records.ts";
import { list, record } from "../../answers.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";
import { encodeCursor, parsePage } from "../paging.ts";

const presentPerson = (person: ProjectMemberRow) => ({ ...presentAccount(person), role: person.role, added_at: iso(person.added_at) });

export function projectResourceRoutes(route: Route, services: Services): void {
  route(projects.listProjects, async ({ actor, query }) => {
    const { after, limit } = parsePage(query);
    const page = await services.projects.list(actor, after, limit);
    return list(
      page.projects.map((row) => presentProject(row, actor.role)),
      { next_cursor: encodeCursor(page.next) },
    );
  });
  route(projects.updateProject, async ({ actor, params, body }) => {
    const changes = { name: body.name, description: body.description, groupId: body.group_id };
    return record("project", presentProject(await services.projects.update(actor, params.project_id, changes), actor.role));
  });
  route(projects.listProjectMembers, async ({ actor, params }) => list((await services.projects.members(actor, params.project_id)).map(presentPerson)));
  route(projects.addProjectMember, async ({ actor, params, body }) =>
    record("project_member", presentPerson(await services.projects.addMember(actor, params.project_id, body.account_id))),
  );
  route(projects.removeProjectMember, ({ actor, params }) => services.projects.removeMember(actor, params.project_id, params.account_id).then(() => undefined));
}
