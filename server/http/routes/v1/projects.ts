import * as projects from "../../../../contract/operations/projects.ts";
import { presentProject } from "../../../presenters/records.ts";
import { list, record } from "../../answers.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";

export function projectRoutes(route: Route, services: Services): void {
  route(projects.getProject, async ({ actor, body }) => record("project", presentProject(await services.projects.get(actor, body.project_id), actor.role)));
  route(projects.createProject, async ({ actor, body, idempotencyKey }) => {
    const input = { teamId: body.team_id, groupId: body.group_id ?? null, name: body.name, description: body.description ?? "" };
    return record("project", presentProject(await services.projects.create(actor, input, idempotencyKey), actor.role));
  });
  route(projects.projectsByGroup, async ({ actor, body }) =>
    list((await services.projects.listByGroup(actor, body.group_id)).map((row) => presentProject(row, actor.role))),
  );
  route(projects.projectsWithoutGroup, async ({ actor, body }) =>
    list((await services.projects.listWithoutGroup(actor, body.team_id)).map((row) => presentProject(row, actor.role))),
  );
}
