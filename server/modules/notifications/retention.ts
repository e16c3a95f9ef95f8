/** Deletes old notifications, and of an account with very many all but the newest. */
import { LIMITS, NOTIFICATION_RETENTION_DAYS } from "../../../contract/limits.ts";
import { affectedRows, runInBatches } from "../../db/batches.ts";
import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/schema.ts";
import { DAY, type Clock } from "../../lib/clock.ts";

/** Accounts of one transaction. */
const ACCOUNTS_PER_BATCH = 20;

/** Returns the number of deleted notifications. Two processes may run it at once. */
export async function deleteOldNotifications({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const before = clock.now() - NOTIFICATION_RETENTION_DAYS * DAY;
  const oldCount = await runInBatches(database, {
    find: async (db, limit) => (await db.selectFrom("notifications").select("id").where("created_at", "<", before).limit(limit).execute()).map(({ id }) => id),
    change: async (tx, ids) => affectedRows(await tx.deleteFrom("notifications").where("id", "in", ids).executeTakeFirst()),
  });
  const surplusCount = await runInBatches(
    database,
    {
      find: (db, limit) =>
        db
          .selectFrom("notifications")
          .select("account_id")
          .groupBy("account_id")
          .having(({ fn }) => fn.countAll<number>(), ">", LIMITS.notifications_per_account)
          .limit(limit)
          .execute(),
      async change(tx, accounts) {
        let count = 0;
        for (const { account_id } of accounts) count += await deleteSurplus(tx, account_id);
        return count;
      },
    },
    ACCOUNTS_PER_BATCH,
  );
  return oldCount + surplusCount;
}

/** Deletes all but the newest notifications of an account. */
async function deleteSurplus(tx: Tx, accountId: number): Promise<number> {
  const oldestKept = tx
    .selectFrom("notifications")
    .select("id")
    .where("account_id", "=", accountId)
    .orderBy("id", "desc")
    .offset(LIMITS.notifications_per_account - 1)
    .limit(1);
  return affectedRows(await tx.deleteFrom("notifications").where("account_id", "=", accountId).where("id", "<", oldestKept).executeTakeFirst());
}
