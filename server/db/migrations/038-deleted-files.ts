/** Creates the index of what was deleted in a project, which the list of it reads newest first. */
import { sql } from "kysely";
import type { Migration } from "./migration.ts";

export const deletedFiles: Migration = {
  name: "038-deleted-files",
  async up(tx) {
    await sql`create index files_deleted_in_project on files (project_id, deleted_at, id) where deleted_at is not null`.execute(tx);
  },
};
