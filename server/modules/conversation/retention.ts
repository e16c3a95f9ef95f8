/** Erases deleted messages and comments after the restore window, and all comments of files past retention; safe to run in two processes at once. */
import { sql } from "kysely";
import { WITHHELD } from "../../../contract/events.ts";
import { LIMITS } from "../../../contract/limits.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/schema.ts";
import { type Clock, MINUTE, SECOND } from "../../lib/clock.ts";
import { FILE_RETENTION_MS } from "../files/retention.ts";

/** Maximum messages or comments per transaction, so that other writers do not wait long. */
const BATCH_SIZE = 500;
/** Extra wait after the restore window, so that erasing does not race with a restore. */
const MARGIN_MS = MINUTE;

/** Erases body, mentions and reactions of deleted messages past the restore window, keeps the rows, and returns their number. */
export async function eraseDeletedMessages({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const before = clock.now() - LIMITS.message_restore_seconds * SECOND - MARGIN_MS;
  let erasedCount = 0;
  // Each condition begins with that of a partial index: `messages_to_empty` and `messages_without_text`.
  const withText = sql<boolean>`body <> ''`;
  const withReactionsOnly = sql<boolean>`body = '' and exists (select 1 from reactions where reactions.message_id = messages.id)`;
  const eraseBatch = (condition: typeof withText): Promise<number> =>
    database.backgroundWrite(async (tx) => {
      const rows = await tx
        .selectFrom("messages")
        .select("id")
        .where("deleted_at", "<", before)
        .where(condition)
        .orderBy("deleted_at")
        .limit(BATCH_SIZE)
        .execute();
      if (rows.length === 0) return 0;
      const ids = rows.map(({ id }) => id);
      await tx.deleteFrom("message_mentions").where("message_id", "in", ids).execute();
      await tx.deleteFrom("reactions").where("message_id", "in", ids).execute();
      await tx.updateTable("messages").set({ body: "" }).where("id", "in", ids).execute();
      return ids.length;
    });
  for (const condition of [withText, withReactionsOnly])
    for (let batchCount = BATCH_SIZE; batchCount === BATCH_SIZE; erasedCount += batchCount) batchCount = await eraseBatch(condition);
  return erasedCount;
}

/** Erases the text of deleted comments past the restore window, deletes those of files past retention, and returns how many were erased or deleted. */
export async function eraseDeletedComments({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const now = clock.now();
  const runInBatches = async (batch: (tx: Tx) => Promise<number>): Promise<number> => {
    let total = 0;
    for (let batchCount = BATCH_SIZE; batchCount === BATCH_SIZE; total += batchCount) batchCount = await database.backgroundWrite(batch);
    return total;
  };
  const erasedCount = await runInBatches(async (tx) => {
    const rows = await tx
      .selectFrom("comments")
      .select("id")
      .where("deleted_at", "<", now - LIMITS.comment_restore_seconds * SECOND - MARGIN_MS)
      // Repeats the condition of the partial index `comments_to_empty`, which contains only rows still to be erased.
      .where(sql<boolean>`body <> ''`)
      .orderBy("deleted_at")
      .limit(BATCH_SIZE)
      .execute();
    if (rows.length > 0)
      await tx
        .updateTable("comments")
        .set({ body: "" })
        .where(
          "id",
          "in",
          rows.map(({ id }) => id),
        )
        .execute();
    return rows.length;
  });
  const deletedCount = await runInBatches(async (tx) => {
    const rows = await tx
      .selectFrom("comments")
      .innerJoin("files", "files.id", "comments.file_id")
      .select("comments.id")
      .where("files.deleted_at", "<=", now - FILE_RETENTION_MS)
      // Deletes replies before their parents.
      .orderBy("comments.id", "desc")
      .limit(BATCH_SIZE)
      .execute();
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await tx.updateTable("messages").set({ comment_id: null }).where("comment_id", "in", ids).execute();
    // Blanks the events but keeps the rows, so that `seq` has no gaps.
    await tx.updateTable("events").set({ type: WITHHELD, data: "{}", comment_id: null }).where("comment_id", "in", ids).execute();
    await tx.deleteFrom("comments").where("id", "in", ids).execute();
    return ids.length;
  });
  await database.backgroundWrite((tx) =>
    tx
      .deleteFrom("comment_reads")
      .where("file_id", "in", (eb) =>
        eb
          .selectFrom("files")
          .select("id")
          .where("deleted_at", "<=", now - FILE_RETENTION_MS),
      )
      .execute(),
  );
  return erasedCount + deletedCount;
}
