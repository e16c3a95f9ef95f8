/** Keeps the search index with the messages: called in the transaction that writes, changes, deletes or brings one back. */
import type { Engine } from "../../db/database.ts";
import type { Tx } from "../../db/schema.ts";
import { putSearchable, removeSearchable } from "../../db/search.ts";
import { termsOf, type Written } from "../../db/searchable.ts";

/** After a message was written, edited or brought back. */
export const indexMessage = (tx: Tx, engine: Engine, row: Written & { id: number }, hasFile: boolean): Promise<void> =>
  putSearchable(tx, engine, [{ id: row.id, words: termsOf(row, hasFile) }]);

/** After a message was deleted. */
export const unindexMessage = (tx: Tx, engine: Engine, id: number): Promise<void> => removeSearchable(tx, engine, id);
