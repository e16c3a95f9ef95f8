/** SQL for what a reader has not read: messages and mentions in a project, and comments on files. */
import { type RawBuilder, sql, type SqlBool } from "kysely";
import { LIMITS } from "../../../contract/limits.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db } from "../../db/schema.ts";

type SqlExpression = RawBuilder<unknown>;

/**
 * Limits the scan to the newest messages after a read marker, including deleted ones and the reader's own, so that a million unread messages cost no
 * more. A reader who wrote nearly all of them sees a count that is too low.
 */
const MAX_SCANNED_MESSAGES = 2_000;
/** File ids per statement. */
const BATCH_SIZE = 5_000;

/** Counts messages of others after the read marker, up to the limit. Accounts without a marker do not follow the project: the count is 0. */
export const unreadCount = (accountId: number | SqlExpression, projectId: SqlExpression, lastRead: SqlExpression) => sql<number>`(
  select count(*) from (
    select 1 from (
      select m.account_id, m.deleted_at from messages m
      where m.project_id = ${projectId} and m.id > ${lastRead}
      order by m.id desc limit ${sql.lit(MAX_SCANNED_MESSAGES)}
    ) newest
    where newest.account_id <> ${accountId} and newest.deleted_at is null
    limit ${sql.lit(LIMITS.unread_count_max)}
  ) unread
)`;

/** Counts the unread messages that mention the reader. */
export const mentionCount = (accountId: number | SqlExpression, projectId: SqlExpression, lastRead: SqlExpression) => sql<number>`(
  select count(*) from (
    select 1 from (
      select mm.message_id from message_mentions mm
      where mm.account_id = ${accountId} and mm.project_id = ${projectId} and mm.message_id > ${lastRead}
      order by mm.message_id desc limit ${sql.lit(MAX_SCANNED_MESSAGES)}
    ) newest
    join messages m on m.id = newest.message_id
    where m.account_id <> ${accountId} and m.deleted_at is null
    limit ${sql.lit(LIMITS.unread_count_max)}
  ) mentioned
)`;

/**
 * SQL for the last comment that this account has read on a file. Without a read position on the file, it is the project's newest comment at the time
 * the account joined; null if the account does not follow the project either (an admin who never opened it), so that nothing is unread.
 */
export const lastReadCommentId = (account: SqlExpression | number, file: SqlExpression | number, project: SqlExpression | number) => sql<
  number | null
>`coalesce(
  (select read.last_read_comment_id from comment_reads read where read.account_id = ${account} and read.file_id = ${file}),
  (select marker.comments_since from read_markers marker where marker.account_id = ${account} and marker.project_id = ${project}))`;

/** SQL for the id of the newest comment in a project; 0 if there is none. */
export const newestCommentId = (projectId: number) =>
  sql<number>`coalesce((select max(newest.id) from comments newest where newest.project_id = ${projectId}), 0)`;

/** SQL for whether somebody else has commented after the read position. */
export const hasUnreadComments = (account: SqlExpression | number, file: SqlExpression | number, project: SqlExpression | number) => sql<SqlBool>`exists (
  select 1 from comments unread where unread.file_id = ${file} and unread.account_id <> ${account} and unread.deleted_at is null
    and unread.id > ${lastReadCommentId(account, file, project)})`;

/** Personalizes file views for one reader: sets `hasUnreadComments`. Call it only on views of a response to this reader, never on those of an event. */
export async function flagUnreadFiles<V extends { file: { id: number; is_folder: 0 | 1 } }>(
  db: Db,
  accountId: number,
  views: readonly V[],
): Promise<(V & { hasUnreadComments?: boolean })[]> {
  const ids = views.flatMap(({ file }) => (file.is_folder === 0 ? [file.id] : []));
  const unreadIds = ids.length === 0 ? null : await findUnreadFileIds(db, accountId, ids);
  return views.map((view) => (unreadIds && view.file.is_folder === 0 ? { ...view, hasUnreadComments: unreadIds.has(view.file.id) } : view));
}

/** Returns the ids of files with comments that the reader has not read, in one query for a whole page. */
export async function findUnreadFileIds(db: Db, accountId: number, fileIds: readonly number[]): Promise<Set<number>> {
  const unreadIds = new Set<number>();
  const [file, project] = [sql.ref("files.id"), sql.ref("files.project_id")];
  for (let offset = 0; offset < fileIds.length; offset += BATCH_SIZE) {
    const rows = await db
      .selectFrom("files")
      .select("files.id")
      .where("files.id", "in", padIds(fileIds.slice(offset, offset + BATCH_SIZE)))
      .where(hasUnreadComments(accountId, file, project))
      .execute();
    for (const { id } of rows) unreadIds.add(id);
  }
  return unreadIds;
}
