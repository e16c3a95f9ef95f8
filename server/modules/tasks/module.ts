/** Tasks on files, and templates of tasks. */
import type { ServiceModule } from "../../http/module.ts";
import type { FilesDeps } from "../files/deps.ts";
import { registerTaskRoutes } from "./routes.ts";
import { createTaskServices, type TaskServices } from "./services.ts";
import { notifyOfDueTasks } from "./task-notifications.ts";

export function createTasksModule(deps: FilesDeps): ServiceModule<TaskServices> {
  const services = createTaskServices(deps);
  return {
    services,
    features: ["tasks"],
    register({ route }) {
      registerTaskRoutes(route, services);
      return { "notify of tasks that are due": () => notifyOfDueTasks(deps) };
    },
  };
}
