/** Builds the query of every listing page: scope, filter, cursor, and a sort order that has its own index. */
import { type Expression, type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from "kysely";
import { type FileSort, foldName } from "../../../contract/file-order.ts";
import type { EntryKind } from "../../../contract/file-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { MAX_INT4 } from "../../db/engine-sql.ts";
import type { Db, Row, Schema } from "../../db/schema.ts";
import { invalid } from "../../lib/errors.ts";
import type { TeamField } from "./metadata-fields.ts";
import { appliesToFile, hasNoValue, type MetadataTest, toConditions } from "./metadata-query.ts";

/** The entries of one folder, all of a project, or everything below a folder, at a cost that grows with its contents. */
export type ListingScope = { folderId: number } | { projectId: number } | { belowFolderId: number };
export interface SortOrder {
  sort: FileSort;
  descending: boolean;
  /** Sorts by this metadata field instead; what has no value follows by name. */
  field?: TeamField | null;
}
type CursorValue = string | number;
export interface Cursor {
  /** In orders with two sections: 1 in the first, 0 in the second; null in orders without sections. See `SECTIONS`. */
  section: Section;
  /** Values of the last row, as in `SORT_COLUMNS`. */
  values: readonly CursorValue[];
}

/** Filters of a listing; null members do not filter. */
export interface Filter {
  q: string | null;
  kinds: readonly EntryKind[] | null;
  /** A null entry matches files without a status. */
  statusIds: readonly (number | null)[] | null;
  bpmMin: number | null;
  bpmMax: number | null;
  key: string | null;
  tag: string | null;
  uploaderIds: readonly number[] | null;
  from: number | null;
  to: number | null;
  metadata: readonly MetadataTest[] | null;
  /** Entries without a value for this metadata field. */
  withoutField: TeamField | null;
}

export const NO_FILTER: Filter = {
  q: null,
  kinds: null,
  statusIds: null,
  bpmMin: null,
  bpmMax: null,
  key: null,
  tag: null,
  uploaderIds: null,
  from: null,
  to: null,
  metadata: null,
  withoutField: null,
};

/** Matches the indexes of migration 008. */
const SORT_COLUMNS = {
  name: ["order_key", "id"],
  changed: ["changed_at", "id"],
  created: ["created_at", "id"],
  size: ["size", "id"],
  duration: ["duration", "id"],
  bpm: ["bpm", "id"],
  status: ["status_rank", "order_key", "id"],
  kind: ["kind", "order_key", "id"],
} as const satisfies Record<FileSort, readonly (keyof Row<"files">)[]>;

type Column = (typeof SORT_COLUMNS)[FileSort][number];
/** Sort key of a row: only columns of the sort orders, plus `is_folder` for sorting by name. */
export type SortKeyRow = Pick<Row<"files">, Column | "is_folder"> & Partial<Pick<Row<"metadata_values">, "sort_number" | "sort_text">>;
/** 2: files with a value for the metadata field of the order. */
export type Section = 0 | 1 | 2 | null;

/**
 * Sections of each sort order, listed in this sequence in both directions: by name, folders come first; in the other orders with sections, rows
 * without size, duration, tempo or status come last. Each section is a separate scan of the same index.
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

/** Values of the sort column in rows that have no such property. */
const MISSING_VALUES = { size: 0, duration: 0, bpm: 0, status: -1 } as const;

/**
 * Selects only sort keys, which the index holds, so that full rows need not be read. `after`: values of the last returned row, as in
 * `SORT_COLUMNS`.
 */
export function selectPage(
  db: Db,
  scope: ListingScope,
  { sort, descending, filter }: SortOrder & { filter: Filter },
  { section, after, limit }: { section: Exclude<Section, 2>; after: readonly CursorValue[] | null; limit: number },
) {
  const columns = SORT_COLUMNS[sort];
  const selectedColumns = [...columns, ...(sort === "name" ? (["is_folder"] as const) : [])].map((column) => `files.${column}` as const);
  let query: SelectQueryBuilder<Schema, "files", SortKeyRow> = db.selectFrom("files").select(selectedColumns).where("files.deleted_at", "is", null);
  query = query.where(inScope(scope) as never);
  if (section !== null && sort === "name") query = query.where("files.is_folder", "=", section);
  // With a cursor, adds the section's bound only at the end that the cursor leaves open, because of two bounds at one end the engine may use either.
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

export function createCursor({ sort, field }: SortOrder, row: SortKeyRow): Cursor {
  if (field && row.sort_text !== undefined) return { section: 2, values: [row.sort_number ?? 0, row.sort_text, row.id] };
  if (field) return createCursor(BY_NAME, row);
  const columns = SORT_COLUMNS[sort];
  const section = sort === "name" ? row.is_folder : hasMissingValue(sort) ? (row[SORT_COLUMNS[sort][0]] > MISSING_VALUES[sort] ? 1 : 0) : null;
  return { section, values: columns.map((column) => row[column]) };
}

/** Encodes the sort order and the last row's sort values in base64url. */
export const encodeFileCursor = ({ section, values }: Cursor, order: SortOrder): string =>
  Buffer.from(JSON.stringify([nameOf(order), order.descending ? 1 : 0, section, ...values])).toString("base64url");

const nameOf = ({ sort, field }: SortOrder): string => (field ? `field:${field.id}` : sort);

/** The key of the order by a metadata field, as in the index `metadata_values_order`. */
const VALUE_KEY = ["sort_number", "sort_text", "id"] as const;

/** Returns null without a cursor; throws a 400 unless the cursor belongs to this sort order. */
export function decodeFileCursor(text: string | undefined, order: SortOrder): Cursor | null {
  if (text === undefined) return null;
  const invalidCursor = invalid("cursor", "must be a next_cursor of this list in this order");
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    throw invalidCursor;
  }
  if (!Array.isArray(decoded)) throw invalidCursor;
  const [cursorSort, cursorDirection, section, ...values] = decoded as unknown[];
  if (cursorSort !== nameOf(order) || cursorDirection !== (order.descending ? 1 : 0)) throw invalidCursor;
  if (order.field && section === 2) {
    if (values.length !== 3 || !VALUE_KEY.every((column, index) => isColumnValue(column, values[index]))) throw invalidCursor;
    return { section, values: values as Cursor["values"] };
  }
  const sort = order.field ? "name" : order.sort;
  const columns: readonly Column[] = SORT_COLUMNS[sort];
  if (values.length !== columns.length) throw invalidCursor;
  const sections: readonly unknown[] = SECTIONS[sort];
  if (!sections.includes(section) || !columns.every((column, index) => isColumnValue(column, values[index]))) throw invalidCursor;
  return { section: section as Cursor["section"], values: values as Cursor["values"] };
}

/** The order of folders and of plain lists. */
export const BY_NAME: SortOrder = { sort: "name", descending: false };

/** Reads the page of a list that is sorted by name; by default it is as large as possible. */
export const parseNamePage = ({
  cursor,
  limit,
}: {
  cursor?: string | undefined;
  limit?: number | null | undefined;
}): { cursor: Cursor | null; limit: number } => ({
  cursor: decodeFileCursor(cursor, BY_NAME),
  limit: Math.min(limit ?? LIMITS.files_page_max, LIMITS.files_page_max),
});
export const encodeNameCursor = (last: SortKeyRow | null): string | null => last && encodeFileCursor(createCursor(BY_NAME, last), BY_NAME);

/** Checks that the value fits the column, because the database reports any other value as an error. */
function isColumnValue(column: Column | "sort_number" | "sort_text", value: unknown): boolean {
  if (column === "order_key" || column === "kind" || column === "sort_text") return typeof value === "string" && value.isWellFormed() && !value.includes("\0");
  if (column === "duration" || column === "bpm" || column === "sort_number") return typeof value === "number" && Number.isFinite(value);
  return Number.isSafeInteger(value) && (column !== "status_rank" || Math.abs(value as number) <= MAX_INT4);
}

const hasMissingValue = (sort: FileSort): sort is keyof typeof MISSING_VALUES => Object.hasOwn(MISSING_VALUES, sort);

/** Returns the condition that an entry is in the scope. */
function inScope(scope: ListingScope): Expression<SqlBool> {
  if ("folderId" in scope) return sql<SqlBool>`files.parent_id = ${scope.folderId}`;
  if ("projectId" in scope) return sql<SqlBool>`files.project_id = ${scope.projectId} and files.parent_id is not null`;
  return sql<SqlBool>`files.parent_id in (${foldersBelow(scope.belowFolderId)})`;
}

/**
 * Selects files that have a value for the field, in its order. Of a project, the index of the values has the order; of a folder, its files are sorted. The
 * cross join fixes the sequence in which SQLite reads the tables.
 */
export function selectValuePage(
  scope: ListingScope,
  { field, descending, filter }: { field: TeamField; descending: boolean; filter: Filter },
  { after, limit }: { after: readonly CursorValue[] | null; limit: number },
): RawBuilder<SortKeyRow> {
  const isProject = "projectId" in scope;
  const direction = sql.raw(descending ? "desc" : "asc");
  const conditions = [
    sql`metadata_values.field_id = ${field.id} and metadata_values.file_id = files.id and files.deleted_at is null`,
    inScope(scope),
    ...(isProject ? [sql`metadata_values.project_id = ${scope.projectId}`] : []),
    appliesToFile(field),
    ...buildConditions(filter),
    ...(after
      ? [sql`(metadata_values.sort_number, metadata_values.sort_text, metadata_values.file_id) ${sql.raw(descending ? "<" : ">")} (${sql.join([...after])})`]
      : []),
  ];
  return sql<SortKeyRow>`select files.id, files.is_folder, metadata_values.sort_number, metadata_values.sort_text
    from ${sql.raw(isProject ? "metadata_values cross join files" : "files cross join metadata_values")}
    where ${sql.join(conditions, sql` and `)}
    order by metadata_values.sort_number ${direction}, metadata_values.sort_text ${direction}, metadata_values.file_id ${direction} limit ${limit}`;
}

/** Selects the ids of the folder and all folders below it. */
export const foldersBelow = (id: number) => sql`with recursive folders (id) as (
    select cast(${id} as bigint)
    union all
    select files.id from files join folders on folders.id = files.parent_id where files.is_folder = 1 and files.deleted_at is null
  ) select id from folders`;

/** Returns conditions on columns of `files`, all of which must hold. */
export function buildConditions(filter: Filter): Expression<SqlBool>[] {
  const filterConditions: Expression<SqlBool>[] = [];
  const { q, kinds, statusIds, bpmMin, bpmMax, key, tag, uploaderIds, from, to } = filter;
  if (excludesFolders(filter)) filterConditions.push(sql<SqlBool>`files.is_folder = 0`);
  if (q !== null) filterConditions.push(sql<SqlBool>`files.folded_name like ${`%${escapeLike(foldName(q))}%`} escape '\\'`);
  if (kinds) filterConditions.push(sql<SqlBool>`files.kind in (${sql.join(kinds)})`);
  if (statusIds) {
    const ids = statusIds.filter((id) => id !== null);
    filterConditions.push(
      anyOf([
        ...(statusIds.includes(null) ? [sql<SqlBool>`files.status_id is null`] : []),
        ...(ids.length > 0 ? [sql<SqlBool>`files.status_id in (${sql.join(ids)})`] : []),
      ]),
    );
  }
  if (bpmMin !== null || bpmMax !== null) filterConditions.push(sql<SqlBool>`files.bpm > 0`);
  if (bpmMin !== null) filterConditions.push(sql<SqlBool>`files.bpm >= ${bpmMin}`);
  if (bpmMax !== null) filterConditions.push(sql<SqlBool>`files.bpm <= ${bpmMax}`);
  if (key !== null) filterConditions.push(sql<SqlBool>`files.music_key = ${key}`);
  if (tag !== null) filterConditions.push(sql<SqlBool>`exists (select 1 from file_tags where file_tags.file_id = files.id and file_tags.tag = ${tag})`);
  if (uploaderIds) filterConditions.push(sql<SqlBool>`files.uploader_id in (${sql.join(uploaderIds)})`);
  if (from !== null) filterConditions.push(sql<SqlBool>`files.changed_at >= ${from}`);
  if (to !== null) filterConditions.push(sql<SqlBool>`files.changed_at < ${to}`);
  if (filter.metadata) filterConditions.push(...toConditions(filter.metadata));
  if (filter.withoutField) filterConditions.push(hasNoValue(filter.withoutField));
  return filterConditions;
}

/** Returns whether the filter excludes folders, because it tests a kind or a property that folders do not have. */
export const excludesFolders = ({ kinds, statusIds, bpmMin, bpmMax, key, tag, metadata }: Filter): boolean =>
  kinds?.includes("folder") === false || [statusIds, bpmMin, bpmMax, key, tag, metadata].some((criterion) => criterion !== null);

export const excludesFiles = ({ kinds }: Filter): boolean => kinds !== null && kinds.every((kind) => kind === "folder");

export const isFiltering = (filter: Filter): boolean => Object.values(filter).some((criterion) => criterion !== null);

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
const anyOf = (conditions: Expression<SqlBool>[]): Expression<SqlBool> => sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
