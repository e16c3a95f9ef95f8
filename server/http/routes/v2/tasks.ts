import * as tasks from "../../../../contract/operations/tasks.ts";
import { presentTask, presentTaskTemplate } from "../../../presenters/tasks.ts";
import { list, one } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";
import { dayOf } from "../days.ts";
import { cursorOf, readPage } from "../paging.ts";

export function taskResourceRoutes(serve: Serve, services: Services): void {
  serve(tasks.listTasks, async ({ actor, query }) => {
    const { after, limit } = readPage(query);
    const wish = { mine: query.mine === "true", closed: query.closed === undefined ? null : query.closed === "true", rootId: query.file_id ?? null };
    const page = await services.tasks.list(actor, wish, after === 0 ? null : after, limit);
    return list(page.tasks.map(presentTask), { next_cursor: cursorOf(page.next) });
  });
  serve(tasks.getTask, async ({ actor, params }) => one("task", presentTask(await services.tasks.get(actor, params.task_id))));
  serve(tasks.updateTask, async ({ actor, params, body }) => {
    const changes = { title: body.title, assigneeId: body.assignee_account_id, dueAt: dayOf(body.due_date), closed: body.closed };
    return one("task", presentTask(await services.tasks.update(actor, params.task_id, changes)));
  });
  serve(tasks.deleteTask, ({ actor, params }) => services.tasks.remove(actor, params.task_id).then(() => undefined));

  serve(tasks.listTaskTemplates, async ({ actor, query }) => list((await services.taskTemplates.list(actor, query.team_id)).map(presentTaskTemplate)));
  serve(tasks.createTaskTemplate, async ({ actor, body, repeat }) => {
    const wish = { teamId: body.team_id, name: body.name, tasks: body.tasks.map(({ title, due_days }) => ({ title, due_days: due_days ?? null })) };
    return one("task_template", presentTaskTemplate(await services.taskTemplates.create(actor, wish, repeat)));
  });
  serve(tasks.deleteTaskTemplate, ({ actor, params }) => services.taskTemplates.remove(actor, params.template_id).then(() => undefined));
}
