/** Creates the search indexes of projects, people, files, playlists, tasks and comments, fills them with existing records, and lists the words of messages. */
import { fillRecordIndex, RECORD_KINDS } from "../search-documents.ts";
import { createSearchIndex, createWordList } from "../search-index.ts";
import type { Migration } from "./migration.ts";

export const globalSearch: Migration = {
  name: "026-global-search",
  async up(tx, engine) {
    // The index of messages is older.
    await createWordList(tx, engine, "message");
    for (const kind of RECORD_KINDS) {
      await createSearchIndex(tx, engine, kind);
      await fillRecordIndex(tx, engine, kind);
    }
  },
};
