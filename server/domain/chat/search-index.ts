/** Updates the search index within the transaction that creates, edits, deletes or restores a message. */
import type { Engine } from "../../db/database.ts";
import type { Tx } from "../../db/schema.ts";
import { upsertSearchDocuments, removeSearchDocument } from "../../db/search.ts";
import { searchTokens, type IndexedMessage } from "../../db/searchable.ts";

/** Indexes a message after it was created, edited or restored. */
export const indexMessage = (tx: Tx, engine: Engine, row: IndexedMessage & { id: number }, hasFile: boolean): Promise<void> =>
  upsertSearchDocuments(tx, engine, [{ id: row.id, tokens: searchTokens(row, hasFile) }]);

/** Removes a deleted message from the index. */
export const unindexMessage = (tx: Tx, engine: Engine, id: number): Promise<void> => removeSearchDocument(tx, engine, id);
