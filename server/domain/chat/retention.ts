/** What was deleted is gone once nobody can bring it back. Two processes at it at once do no harm. */
import { sql } from "kysely";
import { LIMITS } from "../../../contract/limits.ts";
import type { Database } from "../../db/database.ts";
import { MINUTE, SECOND, type Clock } from "../../lib/clock.ts";

/** Messages a transaction empties at most, so that nobody waits long behind it. */
const BATCH_SIZE = 500;
/** So that nobody is bringing one back at this moment. */
const MARGIN_MS = MINUTE;

/** Empties deleted messages whose time is over: their text, whom they mention, what was said to them. They keep their place. Returns how many. */
export async function eraseDeletedMessages({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const before = clock.now() - LIMITS.message_restore_seconds * SECOND - MARGIN_MS;
  let erasedCount = 0;
  const eraseBatch = (): Promise<number> =>
    database.write(async (tx) => {
      const rows = await tx
        .selectFrom("messages")
        .select("id")
        .where("deleted_at", "<", before)
        // Written as in the index, which then holds no other.
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
