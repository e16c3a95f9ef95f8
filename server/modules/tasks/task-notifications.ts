/** Notifies people of tasks: those assigned to them, those that are due, and those that they created or had to do and that others close. */
import { sql } from "kysely";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { DAY, HOUR } from "../../lib/clock.ts";
import { fromLocalTime } from "../../lib/time-zone.ts";
import { withdrawOfTask, type Notify, type NotifyDeps } from "../notifications/notify.ts";
import type { TaskView } from "./presenter.ts";

type File = TaskView["file"];
type TaskRef = Pick<Row<"tasks">, "id" | "file_id">;

/** Tasks that became due earlier cause no notification, so that an upgrade causes none of old ones. */
const MAX_OVERDUE_MS = 2 * DAY;
/** East of Greenwich a day begins up to this much earlier than in UTC. */
const MAX_OFFSET_MS = 14 * HOUR;
/** Tasks of one transaction. */
const BATCH_SIZE = 100;
/** A notification comes at eight in the morning of the day on which the task is due. */
const MORNING_MS = 8 * HOUR;

const about = (task: TaskRef, { project_id }: Pick<File, "project_id">, actorId: number | null) => ({
  actorId,
  projectId: project_id,
  isRenewed: true,
  subject: { task_id: task.id, file_id: task.file_id },
});

export function notifyOfAssignments(tx: Tx, notify: Notify, actorId: number, views: readonly TaskView[]): Promise<void> {
  return notify(
    tx,
    views.flatMap(({ task, file }) =>
      task.assignee_id === null
        ? []
        : [{ kind: "task_assigned", ...about(task, file, actorId), dedupeKey: `task_assigned:${task.id}`, recipientIds: [task.assignee_id] }],
    ),
  );
}

/** Notifies of a changed task: its new assignee, and once it is closed its creator and assignee. Withdraws what is no longer so from those who have not read it. */
export async function notifyOfChange(
  tx: Tx,
  { notify, events }: Pick<NotifyDeps, "notify" | "events">,
  actorId: number,
  before: TaskView["task"],
  view: TaskView,
): Promise<void> {
  const { task, file } = view;
  if (before.assignee_id !== task.assignee_id) {
    await withdrawOfTask(tx, events, "task_assigned", task.id);
    await notifyOfAssignments(tx, notify, actorId, [view]);
  }
  if (before.closed_at !== null && task.closed_at === null) await withdrawOfTask(tx, events, "task_closed", task.id);
  if (before.closed_at === null && task.closed_at !== null) {
    const recipientIds = [task.created_by, ...(task.assignee_id === null ? [] : [task.assignee_id])];
    await notify(tx, [{ kind: "task_closed", ...about(task, file, actorId), dedupeKey: `task_closed:${task.id}`, recipientIds }]);
  }
}

/** Tasks that are open, assigned and due by now, and of which the assignee has no notification yet; in order of their ids. */
const dueTasks = (db: Db, now: number) =>
  db
    .selectFrom("tasks")
    .innerJoin("files", "files.id", "tasks.file_id")
    .innerJoin("accounts", "accounts.id", "tasks.assignee_id")
    .select(["tasks.id", "tasks.file_id", "tasks.due_at", "tasks.assignee_id", "files.project_id", "accounts.time_zone"])
    .where("tasks.closed_at", "is", null)
    .where("tasks.assignee_id", "is not", null)
    .where("tasks.due_at", ">=", now - MAX_OVERDUE_MS)
    .where("tasks.due_at", "<=", now + MAX_OFFSET_MS)
    .where("files.deleted_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("notifications")
            .select("notifications.id")
            .whereRef("notifications.account_id", "=", "tasks.assignee_id")
            .where("notifications.dedupe_key", "=", sql<string>`'task_due:' || cast(tasks.id as text) || ':' || cast(tasks.due_at as text)`),
        ),
      ),
    )
    .orderBy("tasks.id");

/** Notifies the assignees of open tasks that are due today, in the morning and once for each due date. Two processes may run it at once. */
export async function notifyOfDueTasks({ database, clock, notify }: NotifyDeps): Promise<number> {
  const now = clock.now();
  const isMorning = ({ due_at, time_zone }: { due_at: number | null; time_zone: string | null }) =>
    due_at !== null && fromLocalTime(due_at + MORNING_MS, time_zone ?? "UTC") <= now;
  let count = 0;
  for (let last = 0; ;) {
    const found = await dueTasks(database.backgroundRead, now).where("tasks.id", ">", last).limit(BATCH_SIZE).execute();
    const ids = found.filter(isMorning).map(({ id }) => id);
    if (ids.length > 0)
      count += await database.backgroundWrite(async (tx) => {
        const tasks = (await dueTasks(tx, now).where("tasks.id", "in", ids).execute()).filter(isMorning);
        // Another process may just have created them.
        await notify(
          tx,
          tasks.map((task) => {
            const dedupeKey = `task_due:${task.id}:${task.due_at}`;
            const recipientIds = task.assignee_id === null ? [] : [task.assignee_id];
            return { kind: "task_due", ...about(task, task, null), isRenewed: false, dedupeKey, recipientIds };
          }),
        );
        return tasks.length;
      });
    if (found.length < BATCH_SIZE) return count;
    last = found.at(-1)?.id ?? last;
  }
}
