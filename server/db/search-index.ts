/**
 * Full text indexes: FTS5 on SQLite, tsvector with a GIN index on PostgreSQL. Both index tokens that are already folded, so that their results are equal.
 * Each kind of record has an index of its own, keyed by the record's id. A record also has filter tokens (its project, people, year and month, …), so that
 * the index alone evaluates every criterion of a search.
 */
import { type RawBuilder, sql } from "kysely";
import type { SearchTerm } from "../../contract/search-tokens.ts";
import type { Engine } from "./database.ts";
import { prepareForEngines } from "./prepared.ts";
import type { Db, Tx } from "./schema.ts";

interface IndexTables {
  index: string;
  /** PostgreSQL's column for the record's id. */
  key: string;
  records: "messages" | "comments" | "files" | "tasks" | "playlists" | "projects" | "accounts" | "document_pages";
}

const TABLES = {
  message: { index: "message_search", key: "message_id", records: "messages" },
  comment: { index: "comment_search", key: "record_id", records: "comments" },
  file: { index: "file_search", key: "record_id", records: "files" },
  task: { index: "task_search", key: "record_id", records: "tasks" },
  playlist: { index: "playlist_search", key: "record_id", records: "playlists" },
  project: { index: "project_search", key: "record_id", records: "projects" },
  document: { index: "document_search", key: "record_id", records: "document_pages" },
  account: { index: "account_search", key: "record_id", records: "accounts" },
} as const satisfies Record<string, IndexTables>;
/** The kinds of records that have an index. */
export type IndexedKind = keyof typeof TABLES;

/** Whether a table belongs to an index: it can be filled from the records at any time. SQLite has several tables per index. */
export const isSearchTable = (name: string): boolean => Object.values(TABLES).some(({ index }) => name === index || name.startsWith(`${index}_`));

export interface SearchDocument {
  id: number;
  /** Word tokens contain only letters and digits; filter tokens begin with "_", so the two never collide. */
  tokens: readonly string[];
}

/** A term of the query; a record also matches if it has one of the filter tokens `orFilters`. */
export interface QueryTerm extends SearchTerm {
  orFilters?: readonly string[];
}

/** FTS5 has indexes of the prefixes of these lengths, whose entries it reads one by one. */
const PREFIX_LENGTHS = [1, 2, 3];
/** Of a longer prefix it reads all entries before the first result, unless the query names the words: up to this many. */
const MAX_PREFIX_WORDS = 64;

/** All terms and filters must match; of a nested list, at least one element. */
export interface SearchQuery {
  terms: readonly QueryTerm[];
  filters: readonly (string | readonly string[])[];
}

export const FILTER_TOKEN = {
  organisation: (id: number) => `_o${id}`,
  project: (id: number) => `_p${id}`,
  account: (id: number) => `_a${id}`,
  document: (fileId: number) => `_d${fileId}`,
  status: (id: number) => `_s${id}`,
  /** Year and month in UTC, so that a search in an old period does not read everything newer. */
  year: (at: number) => `_y${new Date(at).toISOString().slice(0, 4)}`,
  month: (at: number) => `_m${new Date(at).toISOString().slice(0, 7).replace("-", "")}`,
  link: "_link",
  file: "_file",
} as const;

/** Creates the empty index of a kind. */
export async function createSearchIndex(tx: Tx, engine: Engine, kind: IndexedKind): Promise<void> {
  const { index, key, records } = TABLES[kind];
  if (engine === "postgres") {
    await sql`create table ${sql.ref(index)} (${sql.ref(key)} bigint primary key references ${sql.ref(records)} (id) on delete cascade, words tsvector not null)`.execute(
      tx,
    );
    await sql`create index ${sql.ref(`${index}_words`)} on ${sql.ref(index)} using gin (words)`.execute(tx);
  } else {
    // Stores no copy of the texts and no positions, only which token is in which record. `ascii` treats all non-ASCII characters as letters.
    await sql`create virtual table ${sql.ref(index)} using fts5(words, content='', contentless_delete=1, detail=none, prefix='${sql.raw(PREFIX_LENGTHS.join(" "))}', tokenize="ascii tokenchars '_'")`.execute(
      tx,
    );
  }
  await createWordList(tx, engine, kind);
}

/** Creates the list of the words in an index of SQLite: a view of the index, which stores nothing. */
export async function createWordList(tx: Tx, engine: Engine, kind: IndexedKind): Promise<void> {
  const { index } = TABLES[kind];
  if (engine === "sqlite") await sql`create virtual table if not exists ${sql.ref(`${index}_words`)} using fts5vocab(${sql.ref(index)}, 'row')`.execute(tx);
}

const upsertOn = ({ index, key }: IndexTables) =>
  prepareForEngines<{ list: string }, unknown>((engine, _db, { list }) =>
    engine === "postgres"
      ? sql`
          insert into ${sql.ref(index)} (${sql.ref(key)}, words)
          select (one->>0)::bigint, array_to_tsvector(string_to_array(one->>1, ' ')) from json_array_elements(${list}::json) one
          on conflict (${sql.ref(key)}) do update set words = excluded.words`
      : sql`
          insert or replace into ${sql.ref(index)} (rowid, words)
          select json_extract(value, '$[0]'), json_extract(value, '$[1]') from json_each(${list})`,
  );
const upserts = Object.fromEntries(Object.entries(TABLES).map(([kind, tables]) => [kind, upsertOn(tables)])) as Record<
  IndexedKind,
  ReturnType<typeof upsertOn>
>;

/** Inserts or replaces index entries. */
export async function upsertSearchDocuments(tx: Tx, engine: Engine, kind: IndexedKind, documents: readonly SearchDocument[]): Promise<void> {
  if (documents.length === 0) return;
  await upserts[kind][engine](tx, { list: JSON.stringify(documents.map(({ id, tokens }) => [id, tokens.join(" ")])) });
}

/** Removes index entries, before the rows of the records are deleted. */
export async function removeSearchDocuments(tx: Tx, engine: Engine, kind: IndexedKind, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { index, key } = TABLES[kind];
  await sql`delete from ${sql.ref(index)} where ${sql.ref(engine === "postgres" ? key : "rowid")} in (${sql.join(ids)})`.execute(tx);
}

/** Matches records with any of the words or filter tokens. */
interface Clause {
  words: readonly SearchTerm[];
  filters: readonly string[];
}

/** Replaces a long prefix by the words that begin with it, unless they are too many. */
async function toClause(db: Db, engine: Engine, kind: IndexedKind, { token, isPrefix, orFilters = [] }: QueryTerm): Promise<Clause> {
  const clause = { words: [{ token, isPrefix }], filters: orFilters };
  if (engine === "postgres" || !isPrefix || token.length <= Math.max(...PREFIX_LENGTHS)) return clause;
  const { rows } = await sql<{ term: string }>`select term from ${sql.ref(`${TABLES[kind].index}_words`)}
    where term >= ${token} and term <= ${`${token}\u{10FFFF}`} limit ${MAX_PREFIX_WORDS + 1}`.execute(db);
  if (rows.length > MAX_PREFIX_WORDS) return clause;
  return { words: rows.map(({ term }) => ({ token: term, isPrefix: false })), filters: orFilters };
}

interface Page {
  /** Returns only ids below this one; null starts at the newest. */
  before: number | null;
  limit: number;
  /** Conditions on the table of the records. */
  where: RawBuilder<boolean>;
  /** A byte for each id from 1 on: records with 1 are left out before their rows are read. */
  skipped?: Uint8Array | null;
}

/** Returns the ids of matching records, newest first. */
export const findMatchingIds = async (db: Db, engine: Engine, kind: IndexedKind, query: SearchQuery, page: Page): Promise<number[]> =>
  (await findMatches<{ id: number }>(db, engine, kind, query, page)).map(({ id }) => id);

/** Returns matching records, newest first, with their ids and these columns. */
export async function findMatches<T extends { id: number }>(
  db: Db,
  engine: Engine,
  kind: IndexedKind,
  query: SearchQuery,
  { before, limit, where, skipped = null }: Page,
  columns: RawBuilder<unknown> = sql``,
): Promise<T[]> {
  const { index, key, records } = TABLES[kind];
  const [indexTable, recordTable, recordId] = [sql.ref(index), sql.ref(records), sql.ref(`${records}.id`)];
  const keyColumn = sql.ref(`${index}.${engine === "postgres" ? key : "rowid"}`);
  const clauses: Clause[] = query.filters.map((filter) => ({ words: [], filters: [filter].flat() }));
  for (const term of query.terms) clauses.push(await toClause(db, engine, kind, term));
  if (clauses.some(({ words, filters }) => words.length + filters.length === 0)) return [];
  const matches = engine === "postgres" ? sql`${indexTable}.words @@ ${toTsquery(clauses)}::tsquery` : sql`${indexTable} match ${toFtsQuery(clauses)}`;
  // SQLite keeps the order of a cross join, so that it reads the index newest first and stops at the limit.
  const { rows } = await sql<T>`
    select ${keyColumn} as id ${columns} from ${indexTable} ${sql.raw(engine === "postgres" ? "join" : "cross join")} ${recordTable} on ${recordId} = ${keyColumn}
    where ${matches} ${before === null ? sql`` : sql`and ${keyColumn} < ${before}`} ${skipped === null ? sql`` : sql`and ${isNotSkipped(engine, keyColumn, skipped)}`}
      and ${where}
    order by ${keyColumn} desc limit ${limit}`.execute(db);
  return rows;
}

/** What was created since has no byte: SQLite returns an empty one, and null if there are no bytes at all. */
const isNotSkipped = (engine: Engine, id: RawBuilder<unknown>, skipped: Uint8Array): RawBuilder<boolean> =>
  engine === "postgres" ? sql`substring(${skipped}::bytea from ${id}::integer for 1) <> '\\x01'` : sql`substr(${skipped}, ${id}, 1) is not x'01'`;

function combine(clauses: readonly Clause[], format: (word: SearchTerm) => string, and: string, or: string): string {
  return clauses
    .map(({ words, filters }) => {
      const alternatives = [...words, ...filters.map((token) => ({ token, isPrefix: false }))].map(format);
      return alternatives.length === 1 ? alternatives.join("") : `(${alternatives.join(or)})`;
    })
    .join(and);
}

const toFtsQuery = (clauses: readonly Clause[]): string =>
  combine(clauses, ({ token, isPrefix }) => (isPrefix ? `"${token}" *` : `"${token}"`), " AND ", " OR ");
const toTsquery = (clauses: readonly Clause[]): string => combine(clauses, ({ token, isPrefix }) => (isPrefix ? `'${token}':*` : `'${token}'`), " & ", " | ");
