/** Creates the search indexes of projects, people, files, playlists, tasks and comments, and fills them with existing records. */
import { fillRecordIndex, RECORD_KINDS } from "../search-documents.ts";
import { createSearchIndex } from "../search-index.ts";
import type { Migration } from "./migration.ts";

export const globalSearch: Migration = {
  name: "026-global-search",
  async up(tx, engine) {
    for (const kind of RECORD_KINDS) {
      await createSearchIndex(tx, engine, kind);
      await fillRecordIndex(tx, engine, kind);
    }
  },
};
