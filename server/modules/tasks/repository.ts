/** SQL for tasks, joined through the files that the actor sees, so that a task is never visible without its file. */
import { visibleFiles, type Actor } from "../../access/access.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { toPage } from "../../http/paging.ts";
import { invalid } from "../../lib/errors.ts";
import { audienceOf } from "../projects/repository.ts";
import type { TaskView } from "./presenter.ts";

/** Maximum tasks in a folder's listing; the paged list has no such limit. */
export const MAX_LISTED_TASKS = 2_000;

const visibleTasks = (db: Db, actor: Actor) =>
  visibleFiles(db, actor)
    .innerJoin("tasks", "tasks.file_id", "files.id")
    .selectAll("tasks")
    .select(["files.project_id", "files.name as file_name", "files.is_folder as file_is_folder"]);

type VisibleTaskRow = Row<"tasks"> & { project_id: number; file_name: string; file_is_folder: Row<"files">["is_folder"] };

const toTaskView = ({ project_id, file_name, file_is_folder, ...task }: VisibleTaskRow): TaskView => ({
  task,
  file: { id: task.file_id, project_id, name: file_name, is_folder: file_is_folder },
});

/** Returns undefined if the task does not exist or the actor does not see it. */
export async function findVisibleTask(db: Db, actor: Actor, id: number): Promise<TaskView | undefined> {
  const row = await visibleTasks(db, actor).where("tasks.id", "=", id).executeTakeFirst();
  return row && toTaskView(row);
}

/** Returns the existing tasks among these ids, in the given order. */
export async function findTasksByIds(db: Db, actor: Actor, ids: readonly number[]): Promise<TaskView[]> {
  if (ids.length === 0) return [];
  const rows = await visibleTasks(db, actor).where("tasks.id", "in", ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []).map(toTaskView);
}

/** Ids of the file or folder and, for a folder, of everything in it; deleted entries are excluded. */
const subtreeIds = (db: Db, rootId: number) =>
  db
    .withRecursive("tree", (tree) =>
      tree
        .selectFrom("files")
        .select("files.id")
        .where("files.id", "=", rootId)
        .unionAll(tree.selectFrom("files").innerJoin("tree", "tree.id", "files.parent_id").select("files.id").where("files.deleted_at", "is", null)),
    )
    .selectFrom("tree")
    .select("tree.id");

/** Returns tasks ordered by file, then by position. */
export async function findTasksInTree(db: Db, actor: Actor, rootId: number): Promise<TaskView[]> {
  const rows = await visibleTasks(db, actor)
    .where("tasks.file_id", "in", subtreeIds(db, rootId))
    .orderBy("tasks.file_id")
    .orderBy("tasks.position")
    .limit(MAX_LISTED_TASKS + 1)
    .execute();
  return rows.map(toTaskView);
}

export interface TaskFilter {
  /** null: any assignee. */
  assigneeId: number | null;
  closed: boolean | null;
  /** A file, or a folder with everything in it; null: all projects. */
  rootId: number | null;
  /** null: all projects. */
  projectId: number | null;
}

/** Returns tasks newest first; `before` is the last id of the previous page. */
export async function findTaskPage(
  db: Db,
  actor: Actor,
  { assigneeId, closed, rootId, projectId }: TaskFilter,
  before: number | null,
  limit: number,
): Promise<{ tasks: TaskView[]; next: number | null }> {
  let query = visibleTasks(db, actor);
  if (assigneeId !== null) query = query.where("tasks.assignee_id", "=", assigneeId);
  if (closed !== null) query = query.where("tasks.closed_at", closed ? "is not" : "is", null);
  if (rootId !== null) query = query.where("tasks.file_id", "in", subtreeIds(db, rootId));
  if (projectId !== null) query = query.where("files.project_id", "=", projectId);
  if (before !== null) query = query.where("tasks.id", "<", before);
  const rows = await query
    .orderBy("tasks.id", "desc")
    .limit(limit + 1)
    .execute();
  const { rows: pageRows, next } = toPage(rows, limit);
  return { tasks: pageRows.map(toTaskView), next };
}

/** Returns the number of tasks on the file and the highest position. */
export async function countTasks(tx: Tx, fileId: number): Promise<{ count: number; last: number }> {
  const { count, last } = await tx
    .selectFrom("tasks")
    .select(({ fn, lit }) => [fn.countAll<number>().as("count"), fn.coalesce(fn.max("position"), lit(0)).as("last")])
    .where("file_id", "=", fileId)
    .executeTakeFirstOrThrow();
  return { count, last };
}

/** Throws a 400 on `path` unless this person sees the project. */
export async function assertAssignee(tx: Tx, actor: Actor, projectId: number, accountId: number, path: string): Promise<void> {
  const person = await audienceOf(tx, projectId)
    .where("accounts.id", "=", accountId)
    .where("accounts.organisation_id", "=", actor.organisationId)
    .select("accounts.id")
    .executeTakeFirst();
  if (!person) throw invalid(path, "must be someone with access to the project");
}
