/** Bytes of deleted files are kept for a while and then removed for good, unless a message still carries them. */
import { DAY, MINUTE } from "../../lib/clock.ts";
import type { FilesDeps } from "./deps.ts";
import { KEY_COLUMNS, keysOf } from "./stored-keys.ts";

export const RETENTION_MS = 30 * DAY;
/** How long a deletion can be undone: who came in the last minute would race with the bytes that go. */
export const RESTORABLE_MS = RETENTION_MS - MINUTE;
const BATCH_SIZE = 100;

/** Removes what is due; answers how many versions lost their bytes. Broken off anywhere, the next run goes on. */
export async function purgeDeletedFiles({ database, storage, clock }: Pick<FilesDeps, "database" | "storage" | "clock">): Promise<number> {
  let purgedCount = 0;
  for (;;) {
    const dueVersions = await database.read
      .selectFrom("files")
      .innerJoin("file_versions", "file_versions.file_id", "files.id")
      .innerJoin("blobs", "blobs.key", "file_versions.blob_key")
      .select(["file_versions.id"])
      .select(KEY_COLUMNS.map((column) => `file_versions.${column}` as const))
      .where("files.deleted_at", "<=", clock.now() - RETENTION_MS)
      .where("blobs.deleted_at", "is", null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("attachments")
              .innerJoin("messages", "messages.id", "attachments.message_id")
              .select("attachments.message_id")
              .whereRef("attachments.file_id", "=", "files.id")
              .whereRef("attachments.version_id", "=", "file_versions.id")
              .where("messages.deleted_at", "is", null),
          ),
        ),
      )
      .orderBy("file_versions.id")
      .limit(BATCH_SIZE)
      .execute();
    for (const version of dueVersions) {
      // Bytes first: a record without bytes is found and finished by the next run, bytes without a record by nobody.
      const keys = keysOf(version).map(({ key }) => key);
      for (const key of keys) await storage.remove(key);
      await database.write(async (tx) => {
        await tx.updateTable("blobs").set({ deleted_at: clock.now() }).where("key", "in", keys).execute();
        await tx
          .updateTable("file_versions")
          .set({ compressed_key: null, compressed_type: null, still_key: null, thumbnail_key: null, peaks: null })
          .where("id", "=", version.id)
          .execute();
      });
      purgedCount += 1;
    }
    if (dueVersions.length < BATCH_SIZE) return purgedCount;
  }
}
