/** Deletes old entries of the delivery log; safe to run in two processes at once. */
import { sql } from "kysely";
import type { Database } from "../../db/database.ts";
import { lockRows } from "../../db/engine-sql.ts";
import { DAY, type Clock } from "../../lib/clock.ts";

const RETENTION_MS = 30 * DAY;
/** Maximum deliveries per transaction, so that other writers do not wait long. */
const BATCH_SIZE = 1_000;

/** Deletes expired deliveries that are not pending, and then the events and deleted endpoints that nothing refers to anymore. */
export async function deleteOldDeliveries({ database, clock }: { database: Database; clock: Clock }): Promise<void> {
  const cutoff = clock.now() - RETENTION_MS;
  const deleteDeliveryBatch = (): Promise<number> =>
    database.backgroundWrite(async (tx) => {
      const query = tx
        .selectFrom("deliveries")
        .select("id")
        .where("created_at", "<", cutoff)
        .where("state", "!=", "pending")
        .where("lease_until", "is", null)
        .orderBy("created_at")
        .limit(BATCH_SIZE);
      // Skips rows locked by a concurrent redelivery.
      const expired = await lockRows(query, database.engine, "skipLocked").execute();
      if (expired.length === 0) return 0;
      const ids = expired.map(({ id }) => id);
      await tx.deleteFrom("delivery_attempts").where("delivery_id", "in", ids).execute();
      await tx.deleteFrom("deliveries").where("id", "in", ids).where("state", "!=", "pending").where("lease_until", "is", null).execute();
      return expired.length;
    });
  const deleteEventBatch = (): Promise<number> =>
    database.backgroundWrite(async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom("outbound_events")
        .where(
          sql<boolean>`id in (
            select e.id from outbound_events e
            where e.created_at < ${cutoff} and not exists (select 1 from deliveries d where d.event_id = e.id)
            limit ${BATCH_SIZE}
          )`,
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    });
  while ((await deleteDeliveryBatch()) === BATCH_SIZE);
  while ((await deleteEventBatch()) === BATCH_SIZE);
  await database.backgroundWrite((tx) =>
    tx
      .deleteFrom("webhook_endpoints")
      .where("deleted_at", "<", cutoff)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("deliveries").select("deliveries.id").whereRef("deliveries.endpoint_id", "=", "webhook_endpoints.id"))),
      )
      .execute(),
  );
}
