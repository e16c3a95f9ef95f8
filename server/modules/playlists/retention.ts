/** Erases deleted playlists that can no longer be restored. Their rows stay, because messages refer to them. */
import { affectedRows, runInBatches } from "../../db/batches.ts";
import type { Database } from "../../db/database.ts";
import type { Db } from "../../db/schema.ts";
import { removeSearchDocuments } from "../../db/search-index.ts";
import { type Clock, DAY, MINUTE } from "../../lib/clock.ts";

const RETENTION_MS = 30 * DAY;
/** How long a deletion can be undone: one minute less than the retention time, so that no restore races with the erasing. */
export const RESTORABLE_MS = RETENTION_MS - MINUTE;

/** Deletes the items and the name of playlists past retention, and returns the number of playlists. */
export function eraseDeletedPlaylists({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const before = clock.now() - RETENTION_MS;
  const expired = (db: Db) => db.selectFrom("playlists").select("id").where("deleted_at", "<=", before).where("name", "<>", "");
  return runInBatches(database, {
    find: async (db, limit) => (await expired(db).limit(limit).execute()).map(({ id }) => id),
    async change(tx, found) {
      const ids = (await expired(tx).where("id", "in", found).execute()).map(({ id }) => id);
      if (ids.length === 0) return 0;
      await removeSearchDocuments(tx, database.engine, "playlist", ids);
      await tx.deleteFrom("playlist_items").where("playlist_id", "in", ids).execute();
      return affectedRows(await tx.updateTable("playlists").set({ name: "" }).where("id", "in", ids).executeTakeFirst());
    },
  });
}
