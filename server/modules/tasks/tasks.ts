/** Tasks on files and folders: creating, editing, closing. Creating one and closing an open one store their webhook events in the same transaction. */
import { sql } from "kysely";
import { LIMITS } from "../../../contract/limits.ts";
import { assertCan, loadAuthorizedProject, type Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { indexRecords } from "../../db/search-documents.ts";
import { removeSearchDocuments } from "../../db/search-index.ts";
import { rememberFormerRows } from "../../events/former-rows.ts";
import { topicOf } from "../../events/log.ts";
import { conflict, notFound } from "../../lib/errors.ts";
import { publishTasksChanged } from "../files/file-events.ts";
import { lockFile, loadAuthorizedFile } from "../files/repository.ts";
import { publishUnreadAbout, type NotifyDeps } from "../notifications/notify.ts";
import { enqueueWantedEvent, enqueueWebhookEvent } from "../webhooks/webhook-events.ts";
import { presentTask, type TaskView } from "./presenter.ts";
import { notifyOfAssignments, notifyOfChange } from "./task-notifications.ts";
import { countTasks, assertAssignee, findTaskPage, findVisibleTask, findTasksByIds, findTasksInTree, type TaskFilter } from "./repository.ts";

export interface TaskInput {
  title: string;
  assigneeId: number | null;
  dueAt: number | null;
}
/** Undefined fields stay unchanged. */
export interface TaskChanges {
  title?: string | undefined;
  assigneeId?: number | null | undefined;
  dueAt?: number | null | undefined;
  closed?: boolean | undefined;
}

const READ_DENIED_REASON = "Your role does not allow seeing tasks.";
const EDIT_DENIED_REASON = "Guests can only edit tasks they created, and only complete their own tasks.";

/** Returns the facts on which the rule `task.edit` depends. */
const editFacts = ({ task }: TaskView, { accountId }: Actor, { closed, ...otherChanges }: TaskChanges) => ({
  isOwn: task.created_by === accountId,
  isAssignee: task.assignee_id === accountId,
  isClosing: closed !== undefined && Object.values(otherChanges).every((value) => value === undefined),
});

export function createTasks(deps: NotifyDeps) {
  const { database, events, clock, notify } = deps;

  /** Appends tasks to a file whose project this transaction has locked. */
  async function insertTasks(
    tx: Tx,
    actor: Actor,
    file: Row<"files">,
    inputs: readonly TaskInput[],
    pathOf = (index: number) => `tasks.${index}.assignee_account_id`,
  ): Promise<number[]> {
    const { count, last } = await countTasks(tx, file.id);
    if (count + inputs.length > LIMITS.tasks_per_file) throw conflict(`There can be at most ${LIMITS.tasks_per_file} tasks here. Delete completed ones first.`);
    const created: TaskView[] = [];
    for (const [index, input] of inputs.entries()) {
      if (input.assigneeId !== null) await assertAssignee(tx, actor, file.project_id, input.assigneeId, pathOf(index));
      const task = await tx
        .insertInto("tasks")
        .values({
          file_id: file.id,
          title: input.title.trim(),
          assignee_id: input.assigneeId,
          due_at: input.dueAt,
          position: last + index + 1,
          created_by: actor.accountId,
          created_at: clock.now(),
          closed_at: null,
          closed_by: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await events.append(tx, topicOf.project(file.project_id), "task.created", presentTask({ task, file }));
      created.push({ task, file });
    }
    for (const view of created)
      await enqueueWantedEvent(tx, deps, actor.organisationId, {
        type: "task.created",
        projectId: file.project_id,
        loadData: async () => ({ ...presentTask(view), changed_by_account_id: actor.accountId }),
      });
    const ids = created.map(({ task }) => task.id);
    await indexRecords(tx, database.engine, "task", ids);
    publishTasksChanged(
      tx,
      events,
      file.project_id,
      inputs.map(({ assigneeId }) => assigneeId),
    );
    await notifyOfAssignments(tx, notify, actor.accountId, created);
    return ids;
  }

  /** Returns the task after locking its project's topic, so that this transaction is the project's only writer. */
  async function lockTask(tx: Tx, actor: Actor, id: number): Promise<TaskView> {
    const existing = await findVisibleTask(tx, actor, id);
    if (!existing) throw notFound("task");
    await events.lock(tx, topicOf.project(existing.file.project_id));
    const view = await findVisibleTask(tx, actor, id);
    if (!view) throw notFound("task");
    rememberFormerRows(tx, "task", [view.task]);
    return view;
  }

  /** Returns the columns that differ from the current values; null if none do. */
  async function computeChanges(tx: Tx, actor: Actor, { task, file }: TaskView, changes: TaskChanges): Promise<Partial<Row<"tasks">> | null> {
    const set: Partial<Row<"tasks">> = {};
    const title = changes.title?.trim();
    if (title !== undefined && title !== task.title) set.title = title;
    if (changes.dueAt !== undefined && changes.dueAt !== task.due_at) set.due_at = changes.dueAt;
    if (changes.assigneeId !== undefined && changes.assigneeId !== task.assignee_id) {
      if (changes.assigneeId !== null) await assertAssignee(tx, actor, file.project_id, changes.assigneeId, "assignee_account_id");
      set.assignee_id = changes.assigneeId;
    }
    if (changes.closed !== undefined && changes.closed !== (task.closed_at !== null)) {
      set.closed_at = changes.closed ? clock.now() : null;
      set.closed_by = changes.closed ? actor.accountId : null;
    }
    return Object.keys(set).length > 0 ? set : null;
  }

  return {
    async get(actor: Actor, id: number): Promise<TaskView> {
      const view = await findVisibleTask(database.read, actor, id);
      if (!view) throw notFound("task");
      assertCan(actor, "task.read", {}, READ_DENIED_REASON);
      return view;
    },

    /** Returns the tasks of a file, or of a folder with everything in it. */
    async listInTree(actor: Actor, fileId: number): Promise<TaskView[]> {
      const { id } = await loadAuthorizedFile(database.read, actor, "task.read", fileId);
      return findTasksInTree(database.backgroundRead, actor, id);
    },

    /** Returns a page of all tasks that the actor sees, newest first. */
    async list(
      actor: Actor,
      { onlyMine, ...filter }: { onlyMine: boolean } & Pick<TaskFilter, "closed" | "rootId" | "projectId">,
      before: number | null,
      limit: number,
    ): Promise<{ tasks: TaskView[]; next: number | null }> {
      assertCan(actor, "task.read", {}, READ_DENIED_REASON);
      if (filter.rootId !== null) await loadAuthorizedFile(database.read, actor, "task.read", filter.rootId);
      if (filter.projectId !== null) await loadAuthorizedProject(database.read, actor, "task.read", filter.projectId);
      return findTaskPage(database.backgroundRead, actor, { ...filter, assigneeId: onlyMine ? actor.accountId : null }, before, limit);
    },

    /**
     * Calls `loadInputs` once the file is known and its project locked. A repeated request returns the tasks of the first result that still exist.
     */
    create(
      actor: Actor,
      fileId: number,
      idempotencyKey: IdempotencyKey | null,
      loadInputs: (tx: Tx, file: Row<"files">) => Promise<TaskInput[]>,
    ): Promise<TaskView[]> {
      return database.write(async (tx) => {
        const file = await lockFile(tx, events, actor, "task.create", fileId);
        const ids = await runIdempotent(tx, actor, idempotencyKey, clock.now(), async () => insertTasks(tx, actor, file, await loadInputs(tx, file)));
        return findTasksByIds(tx, actor, ids);
      });
    },

    /** Creates one task on a file or folder, or on the root folder of a project. */
    createOne(actor: Actor, target: { fileId: number } | { projectId: number }, input: TaskInput, idempotencyKey: IdempotencyKey | null): Promise<TaskView> {
      return database.write(async (tx) => {
        const rootOf = async (projectId: number) => (await loadAuthorizedProject(tx, actor, "task.create", projectId)).root_folder_id;
        const fileId = "fileId" in target ? target.fileId : await rootOf(target.projectId);
        if (fileId === null) throw conflict("This project has no folder.");
        const file = await lockFile(tx, events, actor, "task.create", fileId);
        const insert = async () => (await insertTasks(tx, actor, file, [input], () => "assignee_account_id"))[0]!;
        const [task] = await findTasksByIds(tx, actor, [await runIdempotent(tx, actor, idempotencyKey, clock.now(), insert)]);
        if (!task) throw notFound("task");
        return task;
      });
    },

    update(actor: Actor, id: number, changes: TaskChanges): Promise<TaskView> {
      return database.write(async (tx) => {
        const before = await lockTask(tx, actor, id);
        assertCan(actor, "task.edit", editFacts(before, actor, changes), EDIT_DENIED_REASON);
        const set = await computeChanges(tx, actor, before, changes);
        if (!set) return before;
        const task = await tx
          .updateTable("tasks")
          .set((eb) => ({ ...set, revision: eb("revision", "+", 1) }))
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await indexRecords(tx, database.engine, "task", [id]);
        const { file } = before;
        const record = presentTask({ task, file });
        await events.append(tx, topicOf.project(file.project_id), "task.updated", record);
        publishTasksChanged(tx, events, file.project_id, [before.task.assignee_id, task.assignee_id]);
        await notifyOfChange(tx, deps, actor.accountId, before.task, { task, file });
        if (set.closed_at) await enqueueWebhookEvent(tx, deps, actor.organisationId, "task.closed", { ...record, changed_by_account_id: actor.accountId });
        return { task, file };
      });
    },

    remove(actor: Actor, id: number): Promise<void> {
      return database.write(async (tx) => {
        const { task, file } = await lockTask(tx, actor, id);
        assertCan(actor, "task.delete", { isOwn: task.created_by === actor.accountId }, "Guests can only delete tasks they created.");
        await removeSearchDocuments(tx, database.engine, "task", [id]);
        await tx.deleteFrom("tasks").where("id", "=", id).execute();
        await events.append(tx, topicOf.project(file.project_id), "task.deleted", { id, file_id: file.id });
        publishTasksChanged(tx, events, file.project_id, [task.assignee_id]);
        await publishUnreadAbout(tx, events, "task_id", sql`${id}`);
        await auditActor(tx, clock.now(), actor, "task.deleted", `task:${id}`, { file_id: file.id, title: task.title });
      });
    },
  };
}

export type Tasks = ReturnType<typeof createTasks>;
