/** Reads the search indexes, and compares them with what filling them anew would give. */
import { sql } from "kysely";
import { expect } from "vitest";
import type { Database } from "../db/database.ts";
import type { Tx } from "../db/schema.ts";
import { fillRecordIndex, RECORD_KINDS } from "../db/search-documents.ts";
import { fillSearchIndex } from "../db/search.ts";

const INDEXES = ["message_search", "comment_search", "file_search", "task_search", "playlist_search", "project_search", "account_search", "document_search"];
const ROLLBACK = new Error("rolled back");

/** Returns how many pages of documents the index has under a token, also those that no longer exist. */
export async function countIndexedPages({ read, engine }: Database, token: string): Promise<number> {
  const matches = engine === "postgres" ? sql`document_search.words @@ ${token}::tsquery` : sql`document_search match ${token}`;
  const { rows } = await sql<{ count: number }>`select count(*) as count from document_search where ${matches}`.execute(read);
  return Number(rows[0]?.count);
}

/** Returns the tokens of each record, as "file_search 12: _p3 mix wav". Files keep the token of a status that was deleted, so those are left out. */
async function readEntries(tx: Tx, { engine }: Database): Promise<string[]> {
  const entries: string[] = [];
  for (const index of INDEXES) {
    const { rows } = await (
      engine === "postgres"
        ? sql<{ id: number; token: string }>`select ${sql.ref(index === "message_search" ? "message_id" : "record_id")} as id,
            unnest(tsvector_to_array(words)) as token from ${sql.ref(index)}`
        : sql<{ id: number; token: string }>`select doc as id, term as token from ${sql.ref(`${index}_tokens`)}`
    ).execute(tx);
    for (const [id, tokens] of Map.groupBy(rows, (row) => row.id))
      entries.push(
        `${index} ${id}: ${tokens
          .map(({ token }) => token)
          .filter((token) => !token.startsWith("_s"))
          .toSorted()
          .join(" ")}`,
      );
  }
  return entries.toSorted();
}

/** Tests insert some records directly, without an entry and with a time close to 0. */
const INSERTED_DIRECTLY = / _y19\d\d\b/;

/** Expects every entry to be as the records are now. */
export async function expectFreshIndexes(database: Database): Promise<void> {
  const entries = { kept: [] as string[], filled: [] as string[] };
  await expect(
    database.write(async (tx) => {
      if (database.engine === "sqlite")
        for (const index of INDEXES) await sql.raw(`create virtual table temp.${index}_tokens using fts5vocab('main', '${index}', 'instance')`).execute(tx);
      entries.kept = await readEntries(tx, database);
      await fillSearchIndex(tx, database.engine);
      for (const kind of RECORD_KINDS) await fillRecordIndex(tx, database.engine, kind);
      entries.filled = await readEntries(tx, database);
      throw ROLLBACK;
    }),
  ).rejects.toBe(ROLLBACK);
  expect(entries.kept.length).toBeGreaterThan(20);
  expect(entries.kept).toEqual(entries.filled.filter((entry) => !INSERTED_DIRECTLY.test(entry)));
}
