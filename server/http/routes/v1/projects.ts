import * as projects from "../../../../contract/operations/projects.ts";
import { presentProject } from "../../../presenters/records.ts";
import { list, one } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";

export function projectRoutes(serve: Serve, services: Services): void {
  serve(projects.getProject, async ({ actor, body }) => one("project", presentProject(await services.projects.get(actor, body.project_id), actor.role)));
  serve(projects.createProject, async ({ actor, body, repeat }) => {
    const wish = { teamId: body.team_id, groupId: body.group_id ?? null, name: body.name, description: body.description ?? "" };
    return one("project", presentProject(await services.projects.create(actor, wish, repeat), actor.role));
  });
  serve(projects.projectsByGroup, async ({ actor, body }) =>
    list((await services.projects.byGroup(actor, body.group_id)).map((row) => presentProject(row, actor.role))),
  );
  serve(projects.projectsWithoutGroup, async ({ actor, body }) =>
    list((await services.projects.withoutGroup(actor, body.team_id)).map((row) => presentProject(row, actor.role))),
  );
}
