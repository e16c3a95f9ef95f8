/** Indexes the comments that are not deleted, so that neither a page nor the limit per file reads deleted ones, of which a file may have any number. */
import { sql } from "kysely";
import type { Migration } from "./migration.ts";

export const boundedLists: Migration = {
  name: "014-bounded-lists",
  async up(tx) {
    // SQLite reads the index alone only if it also contains the column of its own condition.
    await sql`create index comments_undeleted on comments (file_id, id, deleted_at) where deleted_at is null`.execute(tx);
    await sql`create index comments_replied on comments (file_id, parent_id, deleted_at) where deleted_at is null and parent_id is not null`.execute(tx);
  },
};
