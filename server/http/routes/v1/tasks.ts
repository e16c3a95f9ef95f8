import * as tasks from "../../../../contract/operations/tasks.ts";
import { presentTask, presentTaskTemplate } from "../../../presenters/tasks.ts";
import { list, one } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";
import { dayOf } from "../days.ts";

export function taskRoutes(serve: Serve, services: Services): void {
  serve(tasks.getTaskTemplate, async ({ actor, body }) => one("task_template", presentTaskTemplate(await services.taskTemplates.get(actor, body.template_id))));
  serve(tasks.loadTasksFromTemplate, async ({ actor, body, repeat }) =>
    list((await services.taskTemplates.load(actor, body.template_id, body.file_id, repeat)).map(presentTask)),
  );
  serve(tasks.tasksByFolder, async ({ actor, body }) => list((await services.tasks.within(actor, body.file_id)).map(presentTask)));
  serve(tasks.createTasks, async ({ actor, body, repeat }) => {
    const wishes = body.tasks.map(({ title, assignee_account_id, due_date }) => ({
      title,
      assigneeId: assignee_account_id ?? null,
      dueAt: dayOf(due_date) ?? null,
    }));
    return list((await services.tasks.create(actor, body.file_id, repeat, async () => wishes)).map(presentTask));
  });
}
