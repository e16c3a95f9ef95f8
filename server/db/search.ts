/**
 * Full text search: FTS5 on SQLite, tsvector with a GIN index on PostgreSQL. Both index tokens that are already folded, so that their results are
 * equal. Each message also has filter tokens (its project, author, year and month, whether it has a link or a file), so that the index alone evaluates
 * every criterion of a search.
 */
import { type RawBuilder, sql } from "kysely";
import { hasLink } from "../../contract/links.ts";
import { tokenizeForIndex } from "../../contract/search-tokens.ts";
import type { Engine } from "./database.ts";
import type { Db, Row, Tx } from "./schema.ts";

/** Messages per statement. */
const BATCH_SIZE = 2_000;

export type IndexedMessage = Pick<Row<"messages">, "project_id" | "account_id" | "body" | "created_at">;

/** Word tokens contain only letters and digits; filter tokens begin with "_", so the two never collide. */
interface SearchDocument {
  id: number;
  tokens: readonly string[];
}

/** All terms and filters must match; of a nested list, at least one element. */
export interface SearchQuery {
  terms: readonly { token: string; isPrefix: boolean }[];
  filters: readonly (string | readonly string[])[];
}

export const FILTER_TOKEN = {
  project: (id: number) => `_p${id}`,
  account: (id: number) => `_a${id}`,
  /** Year and month in UTC, so that a search in an old period does not read everything newer. */
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

/** Returns the tokens of a message's text, and its filter tokens. */
export const searchTokens = (row: IndexedMessage, hasFile: boolean): string[] => [
  ...tokenizeForIndex(row.body),
  ...filterTokens({ projectId: row.project_id, accountId: row.account_id, createdAt: row.created_at, link: hasLink(row.body), file: hasFile }),
];

/** Creates the index, keyed by the message's id. */
export async function createSearchIndex(tx: Tx, engine: Engine): Promise<void> {
  if (engine === "postgres") {
    await sql`create table message_search (message_id bigint primary key references messages (id), words tsvector not null)`.execute(tx);
    await sql`create index message_search_words on message_search using gin (words)`.execute(tx);
  } else {
    // Stores no copy of the texts and no positions, only which token is in which message. `ascii` treats all non-ASCII characters as letters.
    await sql`create virtual table message_search using fts5(words, content='', contentless_delete=1, detail=none, prefix='1 2 3', tokenize="ascii tokenchars '_'")`.execute(
      tx,
    );
  }
}

/** Indexes every message that is not deleted: for a migration that creates the index, or one that follows a change of the tokenizer. */
export async function fillSearchIndex(tx: Tx, engine: Engine): Promise<void> {
  for (let last = 0; ;) {
    const rows = await tx
      .selectFrom("messages")
      .select(["id", "project_id", "account_id", "body", "created_at"])
      .select(({ exists, selectFrom }) => exists(selectFrom("attachments").select("position").whereRef("message_id", "=", "messages.id")).as("has_file"))
      .where("deleted_at", "is", null)
      .where("id", ">", last)
      .orderBy("id")
      .limit(BATCH_SIZE)
      .execute();
    last = rows.at(-1)?.id ?? 0;
    if (rows.length === 0) return;
    await upsertSearchDocuments(
      tx,
      engine,
      rows.map((row) => ({ id: row.id, tokens: searchTokens(row, Boolean(row.has_file)) })),
    );
  }
}

/** Inserts or replaces the index entries of messages. */
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

/** Returns the ids of matching messages below `before`, newest first. `where` adds conditions on `messages`. */
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
