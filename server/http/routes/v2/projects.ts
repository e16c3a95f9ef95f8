import * as projects from "../../../../contract/operations/projects.ts";
import type { ProjectPerson } from "../../../domain/projects/service.ts";
import { iso, presentAccount, presentProject } from "../../../presenters/records.ts";
import { list, one } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";
import { cursorOf, readPage } from "../paging.ts";

const presentPerson = (person: ProjectPerson) => ({ ...presentAccount(person), role: person.role, added_at: iso(person.added_at) });

export function projectResourceRoutes(serve: Serve, services: Services): void {
  serve(projects.listProjects, async ({ actor, query }) => {
    const { after, limit } = readPage(query);
    const page = await services.projects.list(actor, after, limit);
    return list(
      page.projects.map((row) => presentProject(row, actor.role)),
      { next_cursor: cursorOf(page.next) },
    );
  });
  serve(projects.updateProject, async ({ actor, params, body }) => {
    const changes = { name: body.name, description: body.description, groupId: body.group_id };
    return one("project", presentProject(await services.projects.update(actor, params.project_id, changes), actor.role));
  });
  serve(projects.listProjectMembers, async ({ actor, params }) => list((await services.projects.members(actor, params.project_id)).map(presentPerson)));
  serve(projects.addProjectMember, async ({ actor, params, body }) =>
    one("project_member", presentPerson(await services.projects.addMember(actor, params.project_id, body.account_id))),
  );
  serve(projects.removeProjectMember, ({ actor, params }) => services.projects.removeMember(actor, params.project_id, params.account_id).then(() => undefined));
}
