/** Keeps the search index with the messages: called in the transaction that writes, changes, deletes or brings one back. */
import type { Engine } from "../../db/database.ts";
import type { Tx } from "../../db/schema.ts";
import { upsertSearchDocuments, removeSearchDocument } from "../../db/search.ts";
import { searchTokens, type IndexedMessage } from "../../db/searchable.ts";

/** After a message was written, edited or brought back. */
export const indexMessage = (tx: Tx, engine: Engine, row: IndexedMessage & { id: number }, hasFile: boolean): Promise<void> =>
  upsertSearchDocuments(tx, engine, [{ id: row.id, tokens: searchTokens(row, hasFile) }]);

/** After a message was deleted. */
export const unindexMessage = (tx: Tx, engine: Engine, id: number): Promise<void> => removeSearchDocument(tx, engine, id);
