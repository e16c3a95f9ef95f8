/** Creates the search indexes of projects, people, files, playlists, tasks and comments, fills them with existing records, and lists the words of messages. */
import { fillRecordIndex } from "../search-documents.ts";
import { createSearchIndex, createWordList } from "../search-index.ts";
import type { Migration } from "./migration.ts";

/** Later kinds have migrations of their own. */
const KINDS = ["project", "account", "file", "playlist", "task", "comment"] as const;

export const globalSearch: Migration = {
  name: "026-global-search",
  async up(tx, engine) {
    // The index of messages is older.
    await createWordList(tx, engine, "message");
    for (const kind of KINDS) {
      await createSearchIndex(tx, engine, kind);
      await fillRecordIndex(tx, engine, kind);
    }
  },
};
