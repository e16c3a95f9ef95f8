/** Files attached to messages and comments, each pinned to the version that was sent: one query for a whole page of them. */
import type { Attachment } from "../../../contract/records.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { invalid } from "../../lib/errors.ts";
import { presentFileStatus, VERSION_COLUMNS, type FilePresenters } from "./presenter.ts";
import { parseJson, type Tags } from "./stored-analysis.ts";

/** Versions of files, each with what an attachment shows of it. */
const selectVersions = (db: Db) =>
  db
    .selectFrom("file_versions")
    .innerJoin("files", "files.id", "file_versions.file_id")
    .innerJoin("projects", "projects.id", "files.project_id")
    .leftJoin("file_statuses", "file_statuses.id", "files.status_id")
    .select(VERSION_COLUMNS.map((column) => `file_versions.${column}` as const))
    .select([
      "file_versions.tags",
      "file_versions.short_wave",
      "files.name as file_name",
      "files.project_id",
      "files.deleted_at as file_deleted_at",
      "files.corrected_bpm",
      "files.corrected_key",
      "projects.team_id",
      "file_statuses.id as status_id",
      "file_statuses.title as status_title",
      "file_statuses.color as status_color",
      "file_statuses.position as status_position",
      "file_statuses.is_final as status_is_final",
    ]);
type AttachmentRow = Awaited<ReturnType<ReturnType<typeof selectVersions>["execute"]>>[number];

const selectAttachments = (db: Db, messageIds: readonly number[]) =>
  selectVersions(db)
    .innerJoin("attachments", "attachments.version_id", "file_versions.id")
    .select("attachments.message_id as owner_id")
    .where("attachments.message_id", "in", padIds(messageIds))
    .orderBy("attachments.message_id")
    .orderBy("attachments.position")
    .execute();

const selectCommentAttachments = (db: Db, commentIds: readonly number[]) =>
  selectVersions(db)
    .innerJoin("comment_attachments", "comment_attachments.version_id", "file_versions.id")
    .select("comment_attachments.comment_id as owner_id")
    .where("comment_attachments.comment_id", "in", padIds(commentIds))
    .orderBy("comment_attachments.comment_id")
    .orderBy("comment_attachments.position")
    .execute();

/** Presents the version that was sent. `has_unread_comments` depends on the reader, so `personalizeMessages` sets it. */
function presentAttachment({ contentUrl, compressedUrl, previewFields, coverField }: FilePresenters, row: AttachmentRow): Attachment {
  const tags = parseJson<Tags>(row.tags);
  const key = row.corrected_key ?? tags?.keys[0] ?? null;
  const status =
    row.status_id === null
      ? null
      : presentFileStatus({
          id: row.status_id,
          title: row.status_title ?? "",
          color: row.status_color ?? 0,
          position: row.status_position ?? 0,
          is_final: row.status_is_final ?? 0,
        });
  return {
    id: row.file_id,
    name: row.file_name,
    size: row.size,
    url: contentUrl(row.file_id, row, "original"),
    compressed_file_url: compressedUrl(row.file_id, row),
    has_unread_comments: false,
    is_blind_drop: false,
    is_shared: false,
    transcoding_status: row.transcoding_status,
    ...previewFields(row.file_id, row),
    version: row.number,
    kind: row.kind,
    failure: row.failure,
    status,
    ...(row.file_deleted_at === null ? {} : { deleted: true }),
    ...(row.kind === "audio"
      ? {
          audio: {
            duration: row.duration ?? 0,
            wave: parseJson<number[]>(row.short_wave) ?? [],
            bpm: row.corrected_bpm ?? tags?.bpm ?? 0,
            key,
            ...(key === null && tags?.keyCandidates?.[0] ? { unsure_key: tags.keyCandidates[0] } : {}),
            status,
            ...coverField(row.file_id, row),
          },
        }
      : {}),
  };
}

/** Returns attachments per message id, in their order. */
export async function loadAttachments(db: Db, present: FilePresenters, messageIds: readonly number[]): Promise<Map<number, Attachment[]>> {
  return messageIds.length === 0 ? new Map() : groupByOwner(present, await selectAttachments(db, messageIds));
}

/** Returns attachments per comment id, in their order. */
export async function loadCommentAttachments(db: Db, present: FilePresenters, commentIds: readonly number[]): Promise<Map<number, Attachment[]>> {
  return commentIds.length === 0 ? new Map() : groupByOwner(present, await selectCommentAttachments(db, commentIds));
}

function groupByOwner(present: FilePresenters, rows: readonly (AttachmentRow & { owner_id: number })[]): Map<number, Attachment[]> {
  const rowsByOwner = Map.groupBy(rows, ({ owner_id }) => owner_id);
  return new Map([...rowsByOwner].map(([id, ownRows]) => [id, ownRows.map((row) => presentAttachment(present, row))]));
}

/** Returns these versions as a message would show them, by their ids. */
export async function loadVersionsAsAttachments(db: Db, present: FilePresenters, versionIds: readonly number[]): Promise<Map<number, Attachment>> {
  if (versionIds.length === 0) return new Map();
  const rows = await selectVersions(db)
    .where("file_versions.id", "in", padIds([...new Set(versionIds)]))
    .execute();
  return new Map(rows.map((row) => [row.id, presentAttachment(present, row)]));
}

/** Selects the versions that messages and comments have attached, deleted ones of both left out. */
export const selectAttachedVersions = (db: Db) =>
  db
    .selectFrom("attachments")
    .innerJoin("messages", "messages.id", "attachments.message_id")
    .select(["attachments.file_id", "attachments.version_id"])
    .where("messages.deleted_at", "is", null)
    .unionAll(
      db
        .selectFrom("comment_attachments")
        .innerJoin("comments", "comments.id", "comment_attachments.comment_id")
        .select(["comment_attachments.file_id", "comment_attachments.version_id"])
        .where("comments.deleted_at", "is", null),
    );

/** Returns whether a message or comment that is not deleted has the file attached. */
export async function isAttached(db: Db, fileId: number): Promise<boolean> {
  const found = await db
    .selectFrom(selectAttachedVersions(db).as("attached"))
    .select("attached.file_id")
    .where("attached.file_id", "=", fileId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Returns one attachment for each version of this file that is attached to a message or comment, in the order of the versions. */
export async function loadAttachmentsOfFile(db: Db, present: FilePresenters, fileId: number): Promise<Attachment[]> {
  const attached = await db
    .selectFrom(selectAttachedVersions(db).as("attached"))
    .select("attached.version_id")
    .distinct()
    .where("attached.file_id", "=", fileId)
    .execute();
  const versions = await loadVersionsAsAttachments(
    db,
    present,
    attached.map(({ version_id }) => version_id),
  );
  return [...versions].toSorted(([a], [b]) => a - b).map(([, attachment]) => attachment);
}

/** Attaches files of the project to a message, each at its current version. Throws a 400 for unknown, foreign or deleted files and for folders. */
export async function attach(tx: Tx, projectId: number, messageId: number, fileIds: number[]): Promise<void> {
  if (fileIds.length === 0) return;
  const files = await loadFilesToAttach(tx, projectId, fileIds);
  await tx
    .insertInto("attachments")
    .values(files.map((file, position) => ({ message_id: messageId, position, file_id: file.id, version_id: file.version_id })))
    .execute();
}

/** Attaches files of the project to a comment, as `attach` does to a message. */
export async function attachToComment(tx: Tx, projectId: number, commentId: number, fileIds: readonly number[]): Promise<void> {
  if (fileIds.length === 0) return;
  const files = await loadFilesToAttach(tx, projectId, fileIds);
  await tx
    .insertInto("comment_attachments")
    .values(files.map((file, position) => ({ comment_id: commentId, position, file_id: file.id, version_id: file.version_id })))
    .execute();
}

/** Throws a 400 if an attachment of a voice note is known not to be audio. Files not processed yet, or whose processing failed, may be audio. */
export async function assertAudioAttachment(tx: Tx, messageId: number): Promise<void> {
  const nonAudio = await tx
    .selectFrom("attachments")
    .innerJoin("file_versions", "file_versions.id", "attachments.version_id")
    .select("file_versions.id")
    .where("attachments.message_id", "=", messageId)
    .where(({ eb, and, or }) =>
      or([
        eb("file_versions.kind", "in", ["video", "image"]),
        and([eb("file_versions.kind", "=", "document"), eb("file_versions.transcoding_status", "=", "transcoded")]),
      ]),
    )
    .executeTakeFirst();
  if (nonAudio) throw invalid("is_audio_message", AUDIO_REQUIRED);
}
/** Validation message for a voice note without an audio file. */
export const AUDIO_REQUIRED = "requires exactly one audio file in attachment_ids";

/** Returns the files in the requested order. */
async function loadFilesToAttach(tx: Tx, projectId: number, fileIds: readonly number[]): Promise<(Row<"files"> & { version_id: number })[]> {
  if (fileIds.length === 0) return [];
  if (new Set(fileIds).size !== fileIds.length) throw invalid("attachment_ids", "must not contain the same file twice");
  const rows = await tx
    .selectFrom("files")
    .selectAll()
    .where("id", "in", [...fileIds])
    .where("project_id", "=", projectId)
    .where("deleted_at", "is", null)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return fileIds.map((id) => {
    const file = byId.get(id);
    if (!file || file.version_id === null) throw invalid("attachment_ids", "must be files of this project");
    return file as Row<"files"> & { version_id: number };
  });
}
