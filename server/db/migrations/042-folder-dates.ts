/** Sets `changed_at` of each folder to the date of the newest thing in it, at any depth, and its entry in the search index; later changes keep both. */
import { sql } from "kysely";
import { indexRecords } from "../search-documents.ts";
import type { Migration } from "./migration.ts";

export const folderDates: Migration = {
  name: "042-folder-dates",
  async up(tx, engine) {
    const changedIds = new Set<number>();
    // Each round takes dates one level up, so that the rounds end after as many as there are levels. What was deleted together has its dates too.
    for (const inFolder of ["entries.deleted_at is null", "entries.deleted_with = files.deleted_with"]) {
      const newest = sql`(select max(entries.changed_at) from files as entries where entries.parent_id = files.id and ${sql.raw(inFolder)})`;
      for (let changed = true; changed;) {
        const { rows } = await sql<{ id: number }>`update files set changed_at = ${newest} where is_folder = 1 and changed_at < ${newest} returning id`.execute(
          tx,
        );
        for (const { id } of rows) changedIds.add(id);
        changed = rows.length > 0;
      }
    }
    await indexRecords(tx, engine, "file", [...changedIds]);
  },
};
