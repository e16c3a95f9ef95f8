import * as tasks from "../../../../contract/operations/tasks.ts";
import { presentTask, presentTaskTemplate } from "../../../presenters/tasks.ts";
import { list, record } from "../../answers.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";
import { parseDay } from "../days.ts";

export function taskRoutes(route: Route, services: Services): void {
  route(tasks.getTaskTemplate, async ({ actor, body }) =>
    record("task_template", presentTaskTemplate(await services.taskTemplates.get(actor, body.template_id))),
  );
  route(tasks.loadTasksFromTemplate, async ({ actor, body, idempotencyKey }) =>
    list((await services.taskTemplates.load(actor, body.template_id, body.file_id, idempotencyKey)).map(presentTask)),
  );
  route(tasks.tasksByFolder, async ({ actor, body }) => list((await services.tasks.listInTree(actor, body.file_id)).map(presentTask)));
  route(tasks.createTasks, async ({ actor, body, idempotencyKey }) => {
    const inputs = body.tasks.map(({ title, assignee_account_id, due_date }) => ({
      title,
      assigneeId: assignee_account_id ?? null,
      dueAt: parseDay(due_date) ?? null,
    }));
    return list((await services.tasks.create(actor, body.file_id, idempotencyKey, async () => inputs)).map(presentTask));
  });
}
