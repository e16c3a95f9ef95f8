/** Keeps the search index with the messages: called in the transaction that writes, changes, deletes or brings one back. */
import { hasLink, indexWords } from "../../../contract/search-words.ts";
import type { Engine } from "../../db/database.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { marksOf, putSearchable, removeSearchable, type Searchable } from "../../db/search.ts";

type Written = Pick<Row<"messages">, "id" | "project_id" | "account_id" | "body" | "created_at">;

export const searchable = (row: Written, hasFile: boolean): Searchable => ({
  id: row.id,
  words: [
    ...indexWords(row.body),
    ...marksOf({ projectId: row.project_id, accountId: row.account_id, createdAt: row.created_at, link: hasLink(row.body), file: hasFile }),
  ],
});

/** After a message was written, edited or brought back. */
export const indexMessage = (tx: Tx, engine: Engine, row: Written, hasFile: boolean): Promise<void> => putSearchable(tx, engine, [searchable(row, hasFile)]);

/** After a message was deleted. */
export const unindexMessage = (tx: Tx, engine: Engine, id: number): Promise<void> => removeSearchable(tx, engine, id);
