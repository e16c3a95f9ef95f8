/** Erases the contents of deleted messages after the restore window; safe to run in two processes at once. */
import { sql } from "kysely";
import { LIMITS } from "../../../contract/limits.ts";
import type { Database } from "../../db/database.ts";
import { MINUTE, SECOND, type Clock } from "../../lib/clock.ts";

/** Maximum messages per transaction, so that other writers do not wait long. */
const BATCH_SIZE = 500;
/** Extra wait after the restore window, so that erasing does not race with a restore. */
const MARGIN_MS = MINUTE;

/** Erases body, mentions and reactions of deleted messages past the restore window, keeps the rows, and returns their number. */
export async function eraseDeletedMessages({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const before = clock.now() - LIMITS.message_restore_seconds * SECOND - MARGIN_MS;
  let erasedCount = 0;
  const eraseBatch = (): Promise<number> =>
    database.write(async (tx) => {
      const rows = await tx
        .selectFrom("messages")
        .select("id")
        .where("deleted_at", "<", before)
        // Repeats the condition of the partial index `messages_to_empty`, which then holds only rows still to be erased.
        .where(sql<boolean>`body <> ''`)
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
  for (let batchCount = BATCH_SIZE; batchCount === BATCH_SIZE; erasedCount += batchCount) batchCount = await eraseBatch();
  return erasedCount;
}
