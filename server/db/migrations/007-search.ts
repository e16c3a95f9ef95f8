/** Creates the full text index of messages and fills it with existing ones. */
import { fillSearchIndex } from "../search.ts";
import { createSearchIndex } from "../search-index.ts";
import type { Migration } from "./migration.ts";

export const search: Migration = {
  name: "007-search",
  async up(tx, engine) {
    await createSearchIndex(tx, engine, "message");
    // Uses the current tokenizer. Each change of the tokenizer needs a migration of its own that fills the index again.
    await fillSearchIndex(tx, engine);
  },
};
