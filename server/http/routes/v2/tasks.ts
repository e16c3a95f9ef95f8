import * as tasks from "../../../../contract/operations/tasks.ts";
import { presentTask, presentTaskTemplate } from "../../../presenters/tasks.ts";
import { list, record } from "../../answers.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";
import { parseDay } from "../days.ts";
import { encodeCursor, parsePage } from "../paging.ts";

export function taskResourceRoutes(route: Route, services: Services): void {
  route(tasks.listTasks, async ({ actor, query }) => {
    const { after, limit } = parsePage(query);
    const input = { onlyMine: query.mine === "true", closed: query.closed === undefined ? null : query.closed === "true", rootId: query.file_id ?? null };
    const page = await services.tasks.list(actor, input, after === 0 ? null : after, limit);
    return list(page.tasks.map(presentTask), { next_cursor: encodeCursor(page.next) });
  });
  route(tasks.getTask, async ({ actor, params }) => record("task", presentTask(await services.tasks.get(actor, params.task_id))));
  route(tasks.updateTask, async ({ actor, params, body }) => {
    const changes = { title: body.title, assigneeId: body.assignee_account_id, dueAt: parseDay(body.due_date), closed: body.closed };
    return record("task", presentTask(await services.tasks.update(actor, params.task_id, changes)));
  });
  route(tasks.deleteTask, ({ actor, params }) => services.tasks.remove(actor, params.task_id).then(() => undefined));

  route(tasks.listTaskTemplates, async ({ actor, query }) => list((await services.taskTemplates.list(actor, query.team_id)).map(presentTaskTemplate)));
  route(tasks.createTaskTemplate, async ({ actor, body, idempotencyKey }) => {
    const input = { teamId: body.team_id, name: body.name, tasks: body.tasks.map(({ title, due_days }) => ({ title, due_days: due_days ?? null })) };
    return record("task_template", presentTaskTemplate(await services.taskTemplates.create(actor, input, idempotencyKey)));
  });
  route(tasks.deleteTaskTemplate, ({ actor, params }) => services.taskTemplates.remove(actor, params.template_id).then(() => undefined));
}
