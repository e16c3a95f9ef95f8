/** Erases what can no longer be restored: deleted templates and fields with their values, and the values of deleted files. */
import { affectedRows, runInBatches } from "../../db/batches.ts";
import type { Database } from "../../db/database.ts";
import type { Db } from "../../db/schema.ts";
import { indexRecords } from "../../db/search-documents.ts";
import { type Clock, DAY, MINUTE } from "../../lib/clock.ts";

const RETENTION_MS = 30 * DAY;
/** How long a deletion can be undone: one minute less than the retention time, so that no restore races with the erasing. */
export const RESTORABLE_MS = RETENTION_MS - MINUTE;

/** Deletes values, then fields, then templates past retention, and returns the number of deleted rows. */
export async function eraseDeletedMetadata({ database, clock }: { database: Database; clock: Clock }): Promise<number> {
  const before = clock.now() - RETENTION_MS;
  const expiredFields = (db: Db) =>
    db
      .selectFrom("metadata_fields")
      .innerJoin("metadata_templates", "metadata_templates.id", "metadata_fields.template_id")
      .select("metadata_fields.id")
      .where(({ or, eb }) => or([eb("metadata_fields.deleted_at", "<=", before), eb("metadata_templates.deleted_at", "<=", before)]));
  const expiredFiles = (db: Db, limit: number) =>
    db
      .selectFrom("metadata_values")
      .innerJoin("files", "files.id", "metadata_values.file_id")
      .select("metadata_values.file_id")
      .distinct()
      .where(({ or, eb }) => or([eb("files.deleted_at", "<=", before), eb("metadata_values.field_id", "in", expiredFields(db))]))
      .limit(limit);

  const values = await runInBatches(database, {
    find: async (db, limit) => (await expiredFiles(db, limit).execute()).map(({ file_id }) => file_id),
    async change(tx, fileIds) {
      const deletedFiles = tx.selectFrom("files").select("id").where("id", "in", fileIds).where("deleted_at", "<=", before);
      const result = await tx
        .deleteFrom("metadata_values")
        .where("file_id", "in", fileIds)
        .where(({ or, eb }) => or([eb("file_id", "in", deletedFiles), eb("field_id", "in", expiredFields(tx))]))
        .executeTakeFirst();
      await indexRecords(tx, database.engine, "file", fileIds);
      return affectedRows(result);
    },
  });
  return database.write(async (tx) => {
    const fields = await tx.deleteFrom("metadata_fields").where("id", "in", expiredFields(tx)).executeTakeFirst();
    const templates = await tx.deleteFrom("metadata_templates").where("deleted_at", "<=", before).executeTakeFirst();
    return values + affectedRows(fields) + affectedRows(templates);
  });
}
