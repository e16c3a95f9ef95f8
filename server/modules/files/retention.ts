/** Removes the bytes and the text of deleted files after the retention time, except versions that are attached to a message or comment. */
import { DAY, MINUTE } from "../../lib/clock.ts";
import { selectAttachedVersions } from "./attachments.ts";
import { KEY_COLUMNS, keysOf } from "./blob-keys.ts";
import { markBlobsDeleted } from "./blob-rows.ts";
import { eraseText } from "./document-pages.ts";
import type { FilesDeps } from "./deps.ts";

export const FILE_RETENTION_MS = 30 * DAY;
/** How long a deletion can be undone: one minute less than the retention time, so that no restore races with the removal of the bytes. */
export const RESTORABLE_MS = FILE_RETENTION_MS - MINUTE;
const BATCH_SIZE = 100;

/** Removes all bytes that are due and returns the number of affected versions. An interrupted run is continued by the next one. */
export async function purgeDeletedFiles({ database, storage, clock }: Pick<FilesDeps, "database" | "storage" | "clock">): Promise<number> {
  let purgedCount = 0;
  for (;;) {
    const dueVersions = await database.backgroundRead
      .selectFrom("files")
      .innerJoin("file_versions", "file_versions.file_id", "files.id")
      .innerJoin("blobs", "blobs.key", "file_versions.blob_key")
      .select(["file_versions.id"])
      .select(KEY_COLUMNS.map((column) => `file_versions.${column}` as const))
      .where("files.deleted_at", "<=", clock.now() - FILE_RETENTION_MS)
      .where("blobs.deleted_at", "is", null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom(selectAttachedVersions(database.backgroundRead).as("attached"))
              // A restored version shares the bytes of the one that it restores.
              .innerJoin("file_versions as shown", "shown.id", "attached.version_id")
              .select("attached.version_id")
              .whereRef("attached.file_id", "=", "files.id")
              .whereRef("shown.blob_key", "=", "file_versions.blob_key"),
          ),
        ),
      )
      .orderBy("file_versions.id")
      .limit(BATCH_SIZE)
      .execute();
    for (const version of dueVersions) {
      // Removes bytes first: the next run retries a record without bytes, but nothing would find bytes without a record.
      const keys = keysOf(version).map(({ key }) => key);
      for (const key of keys) await storage.remove(key);
      await database.write(async (tx) => {
        await markBlobsDeleted(tx, keys, clock.now());
        await eraseText(tx, database.engine, version.id);
        await tx
          .updateTable("file_versions")
          .set({ compressed_key: null, compressed_type: null, still_key: null, thumbnail_key: null, peaks: null, probe: null })
          .where("id", "=", version.id)
          .execute();
      });
      purgedCount += 1;
    }
    if (dueVersions.length < BATCH_SIZE) return purgedCount;
  }
}
