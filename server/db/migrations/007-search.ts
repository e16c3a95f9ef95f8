/** Full text search of chats, with what was written before. */
import type { Migration } from "../portable.ts";
import { createSearchIndex, fillSearchIndex } from "../search.ts";

export const search: Migration = {
  name: "007-search",
  async up(tx, engine) {
    await createSearchIndex(tx, engine);
    // By the rule as it is now: each change of it has a migration of its own that fills the index anew.
    await fillSearchIndex(tx, engine);
  },
};
