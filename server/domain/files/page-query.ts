/** Builds the query of every listing page: scope, filter, and a sort order that has its own index. */
import { sql, type SelectQueryBuilder } from "kysely";
import type { FileSort } from "../../../contract/file-order.ts";
import type { Db, Row, Schema } from "../../db/schema.ts";
import { buildConditions, type Filter } from "./filter.ts";

/** `in`: a folder; `of`: a whole project; `below`: everything below a folder, at a cost that grows with its contents. */
export type Scope = { in: number } | { of: number } | { below: number };
export interface SortOrder {
  sort: FileSort;
  descending: boolean;
}
export type CursorValue = string | number;
export interface Cursor {
  /** In orders with two sections: 1 in the first, 0 in the second. */
  section: 0 | 1 | null;
  /** Values of the last row, as in `SORT_COLUMNS`. */
  values: readonly CursorValue[];
}

/** Matches the indexes of migration 008. */
export const SORT_COLUMNS = {
  name: ["order_key", "id"],
  changed: ["changed_at", "id"],
  created: ["created_at", "id"],
  size: ["size", "id"],
  duration: ["duration", "id"],
  bpm: ["bpm", "id"],
  status: ["status_rank", "order_key", "id"],
  kind: ["kind", "order_key", "id"],
} as const satisfies Record<FileSort, readonly (keyof Row<"files">)[]>;

/**
 * Scans the same index once per section, in either direction: by name, folders come first, and rows without size, duration, tempo or status
 * come last.
 */
export const SECTIONS: Record<FileSort, readonly (0 | 1 | null)[]> = {
  name: [1, 0],
  changed: [null],
  created: [null],
  size: [1, 0],
  duration: [1, 0],
  bpm: [1, 0],
  status: [1, 0],
  kind: [null],
};

/** Column values of rows that have no such property. */
const MISSING_VALUES = { size: 0, duration: 0, bpm: 0, status: -1 } as const;
const hasMissingValue = (sort: FileSort): sort is keyof typeof MISSING_VALUES => Object.hasOwn(MISSING_VALUES, sort);

/** Sort key of a row: only columns of the sort orders, plus `is_folder` for sorting by name. */
export type SortKeyRow = Pick<Row<"files">, (typeof SORT_COLUMNS)[FileSort][number] | "is_folder">;

export function createCursor({ sort }: SortOrder, row: SortKeyRow): Cursor {
  const columns = SORT_COLUMNS[sort];
  const section = sort === "name" ? row.is_folder : hasMissingValue(sort) ? (row[SORT_COLUMNS[sort][0]] > MISSING_VALUES[sort] ? 1 : 0) : null;
  return { section, values: columns.map((column) => row[column]) };
}

/**
 * Selects only sort keys, which the index holds, so that full rows need not be read. `after`: values of the last returned row, as in
 * `SORT_COLUMNS`.
 */
export function selectPage(
  db: Db,
  scope: Scope,
  { sort, descending, filter }: SortOrder & { filter: Filter },
  { section, after, limit }: { section: 0 | 1 | null; after: readonly CursorValue[] | null; limit: number },
) {
  const columns = SORT_COLUMNS[sort];
  const selectedColumns = [...columns, ...(sort === "name" ? (["is_folder"] as const) : [])].map((column) => `files.${column}` as const);
  let query: SelectQueryBuilder<Schema, "files", SortKeyRow> = db.selectFrom("files").select(selectedColumns).where("files.deleted_at", "is", null);
  if ("in" in scope) query = query.where("files.parent_id", "=", scope.in);
  else if ("of" in scope) query = query.where("files.project_id", "=", scope.of).where("files.parent_id", "is not", null);
  else query = query.where(sql<boolean>`files.parent_id in (${foldersBelow(scope.below)})`);
  if (section !== null && sort === "name") query = query.where("files.is_folder", "=", section);
  // With a cursor, adds only the bound that the cursor does not set, because the engine may pick either of two bounds at one end.
  if (section !== null && hasMissingValue(sort) && (!after || (section === 1) === descending))
    query = query.where(`files.${SORT_COLUMNS[sort][0]}`, section === 1 ? ">" : "<=", MISSING_VALUES[sort]);
  for (const condition of buildConditions(filter)) query = query.where(condition as never);
  if (after) {
    const refs = sql.join(columns.map((column) => sql.ref(`files.${column}`)));
    query = query.where(sql<boolean>`(${refs}) ${sql.raw(descending ? "<" : ">")} (${sql.join([...after])})`);
  }
  for (const column of columns) query = query.orderBy(`files.${column}`, descending ? "desc" : "asc");
  return query.limit(limit);
}

/** Selects the ids of the folder and all folders below it. */
const foldersBelow = (id: number) => sql`with recursive folders (id) as (
    select cast(${id} as bigint)
    union all
    select files.id from files join folders on folders.id = files.parent_id where files.is_folder = 1 and files.deleted_at is null
  ) select id from folders`;
