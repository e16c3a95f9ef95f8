/** Publishes changes of files: the file itself, its attachments in messages and comments, messages that show its comments, and its assigned tasks. */
import { type RawBuilder, sql } from "kysely";
import type { Row, Tx } from "../../db/schema.ts";
import { type EventLog, topicOf } from "../../events/log.ts";
import { publishUnreadAbout } from "../notifications/notify.ts";
import { loadAttachmentsOfFile, selectAttachedVersions } from "./attachments.ts";
import type { FilesDeps } from "./deps.ts";
import type { FilesViewEntry } from "./presenter.ts";
import { loadFilesViewEntry } from "./repository.ts";

/** Above this many in one action, a single event makes clients refetch the chat. */
export const MAX_SEPARATE_EVENTS = 50;

/** Publishes the current state of a file to everyone in the project, and after an update also its attachments in messages. */
export async function publishFileEvent(tx: Tx, deps: FilesDeps, type: "file.created" | "file.updated", file: Row<"files">): Promise<FilesViewEntry> {
  const view = await loadFilesViewEntry(tx, file);
  const topic = topicOf.project(file.project_id);
  await deps.events.append(tx, topic, type, deps.present.presentEntry(view));
  if (type === "file.updated")
    for (const attachment of await loadAttachmentsOfFile(tx, deps.present, file.id)) await deps.events.append(tx, topic, "attachment.updated", attachment);
  return view;
}

/** Publishes updates of attachments of the files. `ids` is a query of file ids of the project. Call it once per action, for any number of files. */
export async function publishAttachments(tx: Tx, { events, present }: FilesDeps, projectId: number, ids: RawBuilder<unknown>): Promise<void> {
  const rows = await tx
    .selectFrom(selectAttachedVersions(tx).as("attached"))
    .select("attached.file_id")
    .distinct()
    .where(sql<boolean>`attached.file_id in (${ids})`)
    .limit(MAX_SEPARATE_EVENTS + 1)
    .execute();
  const topic = topicOf.project(projectId);
  if (rows.length > MAX_SEPARATE_EVENTS) return void (await events.append(tx, topic, "messages.imported", { project_id: projectId }));
  for (const { file_id } of rows)
    for (const attachment of await loadAttachmentsOfFile(tx, present, file_id)) await events.append(tx, topic, "attachment.updated", attachment);
}

/** Republishes messages that show comments on these files, because those messages contain file names and comment text. */
export async function publishSharedComments(
  tx: Tx,
  { events, republishSharedComments }: FilesDeps,
  projectId: number,
  ids: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`select distinct comments.id from comments
    join messages on messages.comment_id = comments.id
    where messages.deleted_at is null and comments.file_id in (${ids}) order by comments.id limit ${MAX_SEPARATE_EVENTS + 1}`.execute(tx);
  if (rows.length > MAX_SEPARATE_EVENTS) return void (await events.append(tx, topicOf.project(projectId), "messages.imported", { project_id: projectId }));
  for (const { id } of rows) await republishSharedComments(tx, projectId, id);
}

/** Publishes to people what appears and disappears with these files: to assignees their tasks, to others the number of their notifications. */
export async function publishWithFiles(tx: Tx, { events }: FilesDeps, projectId: number, ids: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ assignee_id: number }>`select distinct assignee_id from tasks
    where assignee_id is not null and file_id in (${ids})`.execute(tx);
  publishTasksChanged(
    tx,
    events,
    projectId,
    rows.map(({ assignee_id }) => assignee_id),
  );
  await publishUnreadAbout(tx, events, "file_id", ids);
}

/** Publishes task changes to the assignees' account topics, so that they arrive regardless of what an assignee has open. */
export const publishTasksChanged = (tx: Tx, events: EventLog, projectId: number, assignees: readonly (number | null)[]): void =>
  events.appendToAccounts(
    tx,
    assignees.filter((id) => id !== null),
    "tasks.changed",
    { project_id: projectId },
  );
