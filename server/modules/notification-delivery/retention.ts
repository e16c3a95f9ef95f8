/** Deletes old deliveries; safe to run in two processes at once. */
import { affectedRows, runInBatches } from "../../db/batches.ts";
import type { Database } from "../../db/database.ts";
import type { Db } from "../../db/schema.ts";
import { DAY, type Clock } from "../../lib/clock.ts";

/** Longer than all attempts of an email take. */
const RETENTION_MS = 30 * DAY;

/** Also those that have been due for so long: of a channel that no process serves anymore. What waits for the end of a pause stays. */
export async function deleteOldNotificationDeliveries({ database, clock }: { database: Database; clock: Clock }): Promise<void> {
  const cutoff = clock.now() - RETENTION_MS;
  const old = (db: Db) =>
    db
      .selectFrom("notification_deliveries")
      .select("id")
      .where("created_at", "<", cutoff)
      .where("lease_until", "is", null)
      .where(({ eb, or }) => or([eb("next_attempt_at", "is", null), eb("next_attempt_at", "<", cutoff)]));
  await runInBatches(database, {
    find: async (db, limit) => (await old(db).orderBy("created_at").limit(limit).execute()).map(({ id }) => id),
    change: async (tx, ids) =>
      affectedRows(
        await tx
          .deleteFrom("notification_deliveries")
          .where("id", "in", old(tx).where("id", "in", ids))
          .executeTakeFirst(),
      ),
  });
}
