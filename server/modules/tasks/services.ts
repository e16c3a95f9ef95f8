import type { FilesDeps } from "../files/deps.ts";
import { createTasks } from "./tasks.ts";
import { createTaskTemplates } from "./templates.ts";

export function createTaskServices(deps: FilesDeps) {
  const tasks = createTasks(deps);
  return { tasks, taskTemplates: createTaskTemplates(deps, tasks) };
}

export type TaskServices = ReturnType<typeof createTaskServices>;
