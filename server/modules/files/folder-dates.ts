/** Keeps `changed_at` of folders at the date of the newest thing in them, at any depth. */
import type { Engine } from "../../db/database.ts";
import type { Tx } from "../../db/schema.ts";
import { indexRecords } from "../../db/search-documents.ts";

/**
 * Sets the date of these folders, and of the folders above them, to that of their newest entry; a folder is never older than its own creation. Must follow
 * each change of what a folder contains, in its transaction, which is the project's only writer.
 */
export async function refreshFolderDates(tx: Tx, engine: Engine, folderIds: readonly (number | null)[]): Promise<void> {
  const changedIds = new Set<number>();
  for (const folderId of new Set(folderIds)) {
    for (let id = folderId; id !== null;) {
      const { created_at, changed_at, parent_id, newest } = await tx
        .selectFrom("files")
        .select(["created_at", "changed_at", "parent_id"])
        // The index `files_in_changed` has the newest entry at its end.
        .select((eb) =>
          eb
            .selectFrom("files as children")
            .select(({ fn }) => fn.max("children.changed_at").as("newest"))
            .whereRef("children.parent_id", "=", "files.id")
            .where("children.deleted_at", "is", null)
            .as("newest"),
        )
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      const date = Math.max(created_at, newest ?? 0);
      // Folders above depend on this one only through its date.
      if (date === changed_at) break;
      await tx.updateTable("files").set({ changed_at: date }).where("id", "=", id).execute();
      changedIds.add(id);
      id = parent_id;
    }
  }
  // Search filters and sorts folders by this date.
  if (changedIds.size > 0) await indexRecords(tx, engine, "file", [...changedIds]);
}
