import * as operations from "../../contract/operations/tasks.ts";
import type { Task } from "../../contract/task-records.ts";
import { type BodyOf, call, type CallOptions } from "./http.ts";
import { fetchAllPages } from "./pages.ts";

export type NewTasks = BodyOf<typeof operations.createTasks>;
export type TaskChanges = BodyOf<typeof operations.updateTask>;
export type NewTaskTemplate = BodyOf<typeof operations.createTaskTemplate>;
export type LoadTasksInput = BodyOf<typeof operations.loadTasksFromTemplate>;

/** Returns the tasks of a file, or of a folder and everything in it. */
export const listFolderTasks = async (file_id: number, options?: CallOptions): Promise<Task[]> =>
  (await call(operations.listFolderTasks, { body: { file_id } }, options)).data;

/** Returns all open tasks of the signed-in account. */
export const listOwnOpenTasks = (options?: CallOptions): Promise<Task[]> =>
  fetchAllPages((cursor) => call(operations.listTasks, { query: { mine: "true", closed: "false", cursor, limit: 200 } }, options));

/** Returns the newest closed tasks of the signed-in account. */
export const listOwnClosedTasks = async (options?: CallOptions): Promise<Task[]> =>
  (await call(operations.listTasks, { query: { mine: "true", closed: "true", limit: 50 } }, options)).data;

export const createTasks = async (body: NewTasks, idempotencyKey: string): Promise<Task[]> =>
  (await call(operations.createTasks, { body }, { idempotencyKey })).data;

export const updateTask = async (task_id: number, body: TaskChanges): Promise<Task> => (await call(operations.updateTask, { params: { task_id }, body })).data;

export const deleteTask = (task_id: number) => call(operations.deleteTask, { params: { task_id } });

export const listTaskTemplates = async (team_id: number, options?: CallOptions) =>
  (await call(operations.listTaskTemplates, { query: { team_id } }, options)).data;

export const createTaskTemplate = async (body: NewTaskTemplate, idempotencyKey: string) =>
  (await call(operations.createTaskTemplate, { body }, { idempotencyKey })).data;

export const deleteTaskTemplate = (template_id: number) => call(operations.deleteTaskTemplate, { params: { template_id } });

export const loadTasksFromTemplate = async (body: LoadTasksInput, idempotencyKey: string): Promise<Task[]> =>
  (await call(operations.loadTasksFromTemplate, { body }, { idempotencyKey })).data;
