/**
 * Full text search: FTS5 on SQLite, tsvector with a GIN index on PostgreSQL, both fed with words that are folded already, so that they find
 * the same. Beside its words a message has marks of what it belongs to: each criterion is one more word, and no search reads what it cannot find.
 */
import { sql, type RawBuilder } from "kysely";
import type { Engine } from "./database.ts";
import type { Db, Tx } from "./schema.ts";

/** Words are letters and digits only; marks begin with "_", which no word does. */
export interface SearchDocument {
  id: number;
  tokens: readonly string[];
}

/** All of them must occur; of a list within, one. */
export interface SearchQuery {
  terms: readonly { token: string; isPrefix: boolean }[];
  filters: readonly (string | readonly string[])[];
}

/** What a message belongs to, each as a word. */
export const FILTER_TOKEN = {
  project: (id: number) => `_p${id}`,
  account: (id: number) => `_a${id}`,
  /** Year and month in UTC, so that an old time is found without reading all that came later. */
  year: (at: number) => `_y${new Date(at).toISOString().slice(0, 4)}`,
  month: (at: number) => `_m${new Date(at).toISOString().slice(0, 7).replace("-", "")}`,
  link: "_link",
  file: "_file",
} as const;

export function filterTokens(facts: { projectId: number; accountId: number; createdAt: number; link: boolean; file: boolean }): string[] {
  const filters = [
    FILTER_TOKEN.project(facts.projectId),
    FILTER_TOKEN.account(facts.accountId),
    FILTER_TOKEN.year(facts.createdAt),
    FILTER_TOKEN.month(facts.createdAt),
  ];
  if (facts.link) filters.push(FILTER_TOKEN.link);
  if (facts.file) filters.push(FILTER_TOKEN.file);
  return filters;
}

/** Makes the index. Rows are found by the message's id. */
export async function createSearchIndex(tx: Tx, engine: Engine): Promise<void> {
  if (engine === "postgres") {
    await sql`create table message_search (message_id bigint primary key references messages (id), words tsvector not null)`.execute(tx);
    await sql`create index message_search_words on message_search using gin (words)`.execute(tx);
  } else {
    // No copy of the texts, no positions: only which word is in which message. `ascii` takes all that is not ASCII as letters.
    await sql`create virtual table message_search using fts5(words, content='', contentless_delete=1, detail=none, prefix='1 2 3', tokenize="ascii tokenchars '_'")`.execute(
      tx,
    );
  }
}

/** Takes messages up, or in place of what they were before. */
export async function upsertSearchDocuments(tx: Tx, engine: Engine, rows: readonly SearchDocument[]): Promise<void> {
  const list = JSON.stringify(rows.map(({ id, tokens }) => [id, tokens.join(" ")]));
  if (engine === "postgres")
    await sql`
      insert into message_search (message_id, words)
      select (one->>0)::bigint, array_to_tsvector(string_to_array(one->>1, ' ')) from json_array_elements(${list}::json) one
      on conflict (message_id) do update set words = excluded.words`.execute(tx);
  else
    await sql`
      insert or replace into message_search (rowid, words)
      select json_extract(value, '$[0]'), json_extract(value, '$[1]') from json_each(${list})`.execute(tx);
}

export async function removeSearchDocument(tx: Tx, engine: Engine, id: number): Promise<void> {
  await (engine === "postgres" ? sql`delete from message_search where message_id = ${id}` : sql`delete from message_search where rowid = ${id}`).execute(tx);
}

/** Ids of the messages that have all terms, newest first, of those below `before`. `where` may ask for more of `messages`. */
export async function searchMessageIds(
  db: Db,
  engine: Engine,
  query: SearchQuery,
  page: { before: number | null; limit: number; where: RawBuilder<boolean> },
): Promise<number[]> {
  const { before, limit, where } = page;
  const { rows } = await (
    engine === "postgres"
      ? sql<{ id: number }>`
        select s.message_id as id from message_search s join messages on messages.id = s.message_id
        where s.words @@ ${tsquery(query)}::tsquery ${before === null ? sql`` : sql`and s.message_id < ${before}`} and ${where}
        order by s.message_id desc limit ${limit}`
      : sql<{ id: number }>`
        select message_search.rowid as id from message_search cross join messages on messages.id = message_search.rowid
        where message_search match ${ftsQuery(query)} ${before === null ? sql`` : sql`and message_search.rowid < ${before}`} and ${where}
        order by message_search.rowid desc limit ${limit}`
  ).execute(db);
  return rows.map(({ id }) => id);
}

function combineTerms({ terms, filters }: SearchQuery, term: (token: string, isPrefix: boolean) => string, and: string, or: string): string {
  const filterClauses = filters.map((filter) =>
    typeof filter === "string" ? term(filter, false) : `(${filter.map((alternative) => term(alternative, false)).join(or)})`,
  );
  return [...terms.map(({ token, isPrefix }) => term(token, isPrefix)), ...filterClauses].join(and);
}

const ftsQuery = (query: SearchQuery): string => combineTerms(query, (token, isPrefix) => (isPrefix ? `"${token}" *` : `"${token}"`), " AND ", " OR ");
const tsquery = (query: SearchQuery): string => combineTerms(query, (token, isPrefix) => (isPrefix ? `'${token}':*` : `'${token}'`), " & ", " | ");
