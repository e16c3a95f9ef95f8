import * as operations from "../../contract/operations/tasks.ts";
import type { Task } from "../../contract/task-records.ts";
import type { Api, BodyOf, CallOptions } from "./http.ts";
import { fetchAllPages } from "./pages.ts";

export type NewTasks = BodyOf<typeof operations.createTasks>;
export type TaskChanges = BodyOf<typeof operations.updateTask>;
export type NewTaskTemplate = BodyOf<typeof operations.createTaskTemplate>;
export type LoadTasksInput = BodyOf<typeof operations.loadTasksFromTemplate>;

/** Returns the tasks of a file, or of a folder and everything in it. */
export const listFolderTasks = async (api: Api, file_id: number, options?: CallOptions): Promise<Task[]> =>
  (await api.call(operations.listFolderTasks, { body: { file_id } }, options)).data;

/** Returns all open tasks of the signed-in account. */
export const listOwnOpenTasks = (api: Api, options?: CallOptions): Promise<Task[]> =>
  fetchAllPages((cursor) => api.call(operations.listTasks, { query: { mine: "true", closed: "false", cursor, limit: 200 } }, options));

/** Returns the newest closed tasks of the signed-in account. */
export const listOwnClosedTasks = async (api: Api, options?: CallOptions): Promise<Task[]> =>
  (await api.call(operations.listTasks, { query: { mine: "true", closed: "true", limit: 50 } }, options)).data;

export const createTasks = async (api: Api, body: NewTasks, idempotencyKey: string): Promise<Task[]> =>
  (await api.call(operations.createTasks, { body }, { idempotencyKey })).data;

export const updateTask = async (api: Api, task_id: number, body: TaskChanges): Promise<Task> =>
  (await api.call(operations.updateTask, { params: { task_id }, body })).data;

export const deleteTask = (api: Api, task_id: number) => api.call(operations.deleteTask, { params: { task_id } });

export const listTaskTemplates = async (api: Api, team_id: number, options?: CallOptions) =>
  (await api.call(operations.listTaskTemplates, { query: { team_id } }, options)).data;

export const createTaskTemplate = async (api: Api, body: NewTaskTemplate, idempotencyKey: string) =>
  (await api.call(operations.createTaskTemplate, { body }, { idempotencyKey })).data;

export const deleteTaskTemplate = (api: Api, template_id: number) => api.call(operations.deleteTaskTemplate, { params: { template_id } });

export const loadTasksFromTemplate = async (api: Api, body: LoadTasksInput, idempotencyKey: string): Promise<Task[]> =>
  (await api.call(operations.loadTasksFromTemplate, { body }, { idempotencyKey })).data;
