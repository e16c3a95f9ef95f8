/** Routes of tasks and task templates. */
import * as resources from "../../../contract/operations/resources.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import { cutToPage, encodeCursor, parsePage } from "../../http/paging.ts";
import { list, single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import { presentTask, presentTaskTemplate } from "./presenter.ts";
import { MAX_LISTED_TASKS } from "./repository.ts";
import type { TaskServices } from "./services.ts";

export function registerTaskRoutes(route: Route, services: TaskServices): void {
  route(tasks.listTasks, async ({ actor, query }) => {
    const { after, limit } = parsePage(query);
    const input = {
      onlyMine: query.mine === "true",
      closed: query.closed === undefined ? null : query.closed === "true",
      rootId: query.file_id ?? null,
      projectId: query.project_id ?? null,
    };
    const page = await services.tasks.list(actor, input, after === 0 ? null : after, limit);
    return list(page.tasks.map(presentTask), { next_cursor: encodeCursor(page.next) });
  });
  route(tasks.getTask, async ({ actor, params }) => single("task", presentTask(await services.tasks.get(actor, params.task_id))));
  route(resources.createTask, async ({ actor, body, idempotencyKey }) => {
    const target = body.file_id === undefined ? { projectId: body.project_id ?? 0 } : { fileId: body.file_id };
    const input = { title: body.title, assigneeId: body.assignee_account_id ?? null, dueAt: parseDay(body.due_date) ?? null };
    return single("task", presentTask(await services.tasks.createOne(actor, target, input, idempotencyKey)));
  });
  route(tasks.updateTask, async ({ actor, params, body }) => {
    const changes = { title: body.title, assigneeId: body.assignee_account_id, dueAt: parseDay(body.due_date), closed: body.closed };
    return single("task", presentTask(await services.tasks.update(actor, params.task_id, changes)));
  });
  route(tasks.deleteTask, ({ actor, params }) => services.tasks.remove(actor, params.task_id).then(() => undefined));

  route(tasks.listTaskTemplates, async ({ actor, query }) => list((await services.taskTemplates.list(actor, query.team_id)).map(presentTaskTemplate)));
  route(tasks.createTaskTemplate, async ({ actor, body, idempotencyKey }) => {
    const input = { teamId: body.team_id, name: body.name, tasks: body.tasks.map(({ title, due_days }) => ({ title, due_days: due_days ?? null })) };
    return single("task_template", presentTaskTemplate(await services.taskTemplates.create(actor, input, idempotencyKey)));
  });
  route(tasks.deleteTaskTemplate, ({ actor, params }) => services.taskTemplates.remove(actor, params.template_id).then(() => undefined));

  route(tasks.getTaskTemplate, async ({ actor, body }) =>
    single("task_template", presentTaskTemplate(await services.taskTemplates.get(actor, body.template_id))),
  );
  route(tasks.loadTasksFromTemplate, async ({ actor, body, idempotencyKey }) =>
    list((await services.taskTemplates.load(actor, body.template_id, body.file_id, idempotencyKey)).map(presentTask)),
  );
  route(tasks.listFolderTasks, async ({ actor, body }) => {
    const all = (await services.tasks.listInTree(actor, body.file_id)).map(presentTask);
    const data = cutToPage(all.slice(0, MAX_LISTED_TASKS));
    return list(data, { has_more: data.length < all.length });
  });
  route(tasks.createTasks, async ({ actor, body, idempotencyKey }) => {
    const inputs = body.tasks.map(({ title, assignee_account_id, due_date }) => ({
      title,
      assigneeId: assignee_account_id ?? null,
      dueAt: parseDay(due_date) ?? null,
    }));
    return list((await services.tasks.create(actor, body.file_id, idempotencyKey, async () => inputs)).map(presentTask));
  });
}

/** Parses a date from the API as midnight UTC in epoch milliseconds; null and undefined pass through. */
function parseDay(day: string | null | undefined): number | null | undefined {
  return typeof day === "string" ? Date.parse(day.slice(0, "2026-03-02".length)) : day;
}
