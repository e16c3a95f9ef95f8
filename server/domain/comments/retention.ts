/** What was deleted is gone once nobody can bring it back: comments, and with their file all that was said about it. Two processes at it at once do no harm. */
import { sql } from "kysely";
import { WITHHELD } from "../../../contract/events.ts";
import { LIMITS } from "../../../contract/limits.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/schema.ts";
import { DAY, MINUTE, SECOND, type Clock } from "../../lib/clock.ts";

/** Comments a transaction touches at most, so that nobody waits long behind it. */
const BATCH_SIZE = 500;
/** So that nobody is bringing one back at this moment. */
const MARGIN_MS = MINUTE;
/** As long as a file can be brought back. */
const FILE_RETENTION_MS = 30 * DAY;

/** Returns how many lost their text or went. */
export async function eraseDeletedComments({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const now = clock.now();
  const runInBatches = async (batch: (tx: Tx) => Promise<number>): Promise<number> => {
    let total = 0;
    for (let batchCount = BATCH_SIZE; batchCount === BATCH_SIZE; total += batchCount) batchCount = await database.write(batch);
    return total;
  };
  const erasedCount = await runInBatches(async (tx) => {
    const rows = await tx
      .selectFrom("comments")
      .select("id")
      .where("deleted_at", "<", now - LIMITS.comment_restore_seconds * SECOND - MARGIN_MS)
      // Written as in the index, which then holds no other.
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
      // Replies before what they answer.
      .orderBy("comments.id", "desc")
      .limit(BATCH_SIZE)
      .execute();
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await tx.updateTable("messages").set({ comment_id: null }).where("comment_id", "in", ids).execute();
    // An event keeps its place.
    await tx.updateTable("events").set({ type: WITHHELD, data: "{}", comment_id: null }).where("comment_id", "in", ids).execute();
    await tx.deleteFrom("comments").where("id", "in", ids).execute();
    return ids.length;
  });
  await database.write((tx) =>
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
