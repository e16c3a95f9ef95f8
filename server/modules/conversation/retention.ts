/** Erases deleted messages and comments after the restore window, and all comments of files past retention; safe to run in two processes at once. */
import { sql, type Expression, type SqlBool } from "kysely";
import { WITHHELD } from "../../../contract/events.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { affectedRows, runInBatches } from "../../db/batches.ts";
import type { Database } from "../../db/database.ts";
import type { Db } from "../../db/schema.ts";
import { removeSearchDocuments } from "../../db/search-index.ts";
import { type EventLog, topicOf } from "../../events/log.ts";
import { type Clock, MINUTE, SECOND } from "../../lib/clock.ts";
import { FILE_RETENTION_MS } from "../files/retention.ts";

/** Extra wait after the restore window, so that erasing does not race with a restore. */
const MARGIN_MS = MINUTE;
/** Files of one transaction whose read markers are deleted: each has at most one for every account. */
const FILES_PER_BATCH = 20;

const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);

/** Erases body, mentions and reactions of deleted messages past the restore window, keeps the rows, and returns their number. */
export async function eraseDeletedMessages({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const before = clock.now() - LIMITS.message_restore_seconds * SECOND - MARGIN_MS;
  const erase = (condition: Expression<SqlBool>): Promise<number> => {
    const query = (db: Db) => db.selectFrom("messages").select("id").where("deleted_at", "<", before).where(condition);
    return runInBatches(database, {
      find: async (db, limit) => idsOf(await query(db).orderBy("deleted_at").limit(limit).execute()),
      async change(tx, found) {
        const ids = idsOf(await query(tx).where("id", "in", found).execute());
        if (ids.length === 0) return 0;
        await tx.deleteFrom("message_mentions").where("message_id", "in", ids).execute();
        await tx.deleteFrom("reactions").where("message_id", "in", ids).execute();
        return affectedRows(await tx.updateTable("messages").set({ body: "" }).where("id", "in", ids).executeTakeFirst());
      },
    });
  };
  // Each condition begins with that of a partial index: `messages_to_empty` and `messages_without_text`.
  return (
    (await erase(sql<boolean>`body <> ''`)) +
    (await erase(sql<boolean>`body = '' and exists (select 1 from reactions where reactions.message_id = messages.id)`))
  );
}

/** Erases text and mentions of deleted comments past the restore window, deletes those of files past retention, and returns how many were erased or deleted. */
export async function eraseDeletedComments({ database, clock, events }: { database: Database; clock: Clock; events: EventLog }): Promise<number> {
  const now = clock.now();
  const deletedComments = (db: Db) =>
    db
      .selectFrom("comments")
      .select("id")
      .where("deleted_at", "<", now - LIMITS.comment_restore_seconds * SECOND - MARGIN_MS)
      // Repeats the condition of the partial index `comments_to_empty`, which contains only rows still to be erased.
      .where(sql<boolean>`body <> ''`);
  const erasedCount = await runInBatches(database, {
    find: async (db, limit) => idsOf(await deletedComments(db).orderBy("deleted_at").limit(limit).execute()),
    async change(tx, found) {
      const ids = idsOf(await deletedComments(tx).where("id", "in", found).execute());
      if (ids.length === 0) return 0;
      await tx.deleteFrom("comment_mentions").where("comment_id", "in", ids).execute();
      return affectedRows(await tx.updateTable("comments").set({ body: "" }).where("id", "in", ids).executeTakeFirst());
    },
  });

  const commentsOfExpiredFiles = (db: Db) =>
    db
      .selectFrom("comments")
      .innerJoin("files", "files.id", "comments.file_id")
      .select("comments.id")
      .where("files.deleted_at", "<=", now - FILE_RETENTION_MS);
  const deletedCount = await runInBatches(database, {
    // Deletes replies before their parents.
    find: async (db, limit) => idsOf(await commentsOfExpiredFiles(db).orderBy("comments.id", "desc").limit(limit).execute()),
    async change(tx, found) {
      const ids = idsOf(await commentsOfExpiredFiles(tx).where("comments.id", "in", found).execute());
      if (ids.length === 0) return 0;
      const shown = await tx.updateTable("messages").set({ comment_id: null }).where("comment_id", "in", ids).returning("project_id").execute();
      for (const project_id of new Set(shown.map((message) => message.project_id))) {
        const topic = topicOf.project(project_id);
        events.atEnd(tx, [topic], async () => void (await events.append(tx, topic, "messages.imported", { project_id })));
      }
      // Blanks the events but keeps the rows, so that `seq` has no gaps.
      await tx.updateTable("events").set({ type: WITHHELD, data: "{}", comment_id: null }).where("comment_id", "in", ids).execute();
      await removeSearchDocuments(tx, database.engine, "comment", ids);
      await tx.deleteFrom("comment_mentions").where("comment_id", "in", ids).execute();
      await tx.deleteFrom("comment_attachments").where("comment_id", "in", ids).execute();
      return affectedRows(await tx.deleteFrom("comments").where("id", "in", ids).executeTakeFirst());
    },
  });

  const readMarkersOfExpiredFiles = (db: Db) =>
    db
      .selectFrom("comment_reads")
      .innerJoin("files", "files.id", "comment_reads.file_id")
      .select("files.id")
      .distinct()
      .where("files.deleted_at", "<=", now - FILE_RETENTION_MS);
  await runInBatches(
    database,
    {
      find: async (db, limit) => idsOf(await readMarkersOfExpiredFiles(db).limit(limit).execute()),
      async change(tx, found) {
        const ids = idsOf(await readMarkersOfExpiredFiles(tx).where("files.id", "in", found).execute());
        return ids.length === 0 ? 0 : affectedRows(await tx.deleteFrom("comment_reads").where("file_id", "in", ids).executeTakeFirst());
      },
    },
    FILES_PER_BATCH,
  );
  return erasedCount + deletedCount;
}
