/** Deletes old entries of the delivery log; safe to run in two processes at once. */
import { affectedRows, runInBatches } from "../../db/batches.ts";
import type { Database } from "../../db/database.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { Db } from "../../db/schema.ts";
import { DAY, type Clock } from "../../lib/clock.ts";

const RETENTION_MS = 30 * DAY;

/** Deletes expired deliveries that are not pending, and then the events and deleted endpoints that nothing refers to anymore. */
export async function deleteOldDeliveries({ database, clock }: { database: Database; clock: Clock }): Promise<void> {
  const cutoff = clock.now() - RETENTION_MS;
  const idsOf = <T>(rows: readonly { id: T }[]): T[] => rows.map(({ id }) => id);

  const oldDeliveries = (db: Db) =>
    db.selectFrom("deliveries").select("id").where("created_at", "<", cutoff).where("state", "!=", "pending").where("lease_until", "is", null);
  await runInBatches(database, {
    find: async (db, limit) => idsOf(await oldDeliveries(db).orderBy("created_at").limit(limit).execute()),
    async change(tx, found) {
      // Skips rows locked by a concurrent redelivery.
      const ids = idsOf(await lockRows(oldDeliveries(tx).where("id", "in", found), database.engine, "skipLocked").execute());
      if (ids.length === 0) return 0;
      await tx.deleteFrom("delivery_attempts").where("delivery_id", "in", ids).execute();
      return affectedRows(await tx.deleteFrom("deliveries").where("id", "in", ids).executeTakeFirst());
    },
  });

  const oldEvents = (db: Db) =>
    db
      .selectFrom("outbound_events")
      .select("id")
      .where("created_at", "<", cutoff)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("deliveries").select("deliveries.id").whereRef("deliveries.event_id", "=", "outbound_events.id"))),
      );
  await runInBatches(database, {
    find: async (db, limit) => idsOf(await oldEvents(db).limit(limit).execute()),
    change: async (tx, found) =>
      affectedRows(
        await tx
          .deleteFrom("outbound_events")
          .where("id", "in", oldEvents(tx).where("id", "in", found))
          .executeTakeFirst(),
      ),
  });

  const oldEndpoints = (db: Db) =>
    db
      .selectFrom("webhook_endpoints")
      .select("id")
      .where("deleted_at", "<", cutoff)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("deliveries").select("deliveries.id").whereRef("deliveries.endpoint_id", "=", "webhook_endpoints.id"))),
      );
  await runInBatches(database, {
    find: async (db, limit) => idsOf(await oldEndpoints(db).limit(limit).execute()),
    change: async (tx, found) =>
      affectedRows(
        await tx
          .deleteFrom("webhook_endpoints")
          .where("id", "in", oldEndpoints(tx).where("id", "in", found))
          .executeTakeFirst(),
      ),
  });
}
