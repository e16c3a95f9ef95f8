/** SQL for the folder tree: descendants and ancestors. */
import { sql } from "kysely";
import { LIMITS } from "../../../contract/limits.ts";
import { formatCount } from "../../../contract/text.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db, Row } from "../../db/schema.ts";
import { conflict } from "../../lib/errors.ts";

/**
 * SQL `with recursive tree`: these entries and everything below them that is not deleted; `top` is the entry that a row belongs to. The entries must
 * not be nested.
 */
export const undeletedTree = (topIds: readonly number[]) => sql`with recursive tree (id, top) as (
    select files.id, files.id from files where files.id in (${sql.join(padIds(topIds))}) and files.deleted_at is null
    union all
    select files.id, tree.top from tree cross join files where files.parent_id = tree.id and files.deleted_at is null
  )`;

/** Same as `undeletedTree`, for deleted entries: each with everything deleted in the same action. `level`: depth below `top`, from 1. */
export const deletedTree = (topIds: readonly number[]) => sql`with recursive tree (id, top, act, level) as (
    select files.id, files.id, files.deleted_with, 1 from files where files.id in (${sql.join(padIds(topIds))})
    union all
    select files.id, tree.top, tree.act, tree.level + 1 from tree cross join files where files.parent_id = tree.id and files.deleted_with = tree.act
  )`;

/**
 * For use after `from`: the files of a tree; further conditions can follow. A cross join fixes the order in which SQLite joins: SQLite does not know how
 * small a tree is and would otherwise scan all files and look up each in the tree.
 */
export const filesInTree = sql`tree cross join files where files.id = tree.id`;
/** Same as `filesInTree`, for use after `update files set …`: the unary plus leaves only the lookup by the primary key of `files`. */
export const fromTree = sql`from tree where files.id = +tree.id`;

export type Ancestor = Pick<Row<"files">, "id" | "parent_id" | "name" | "deleted_at" | "removal_protection">;

/** Returns these entries and all their ancestors by id, including deleted ones. */
export async function loadAncestors(db: Db, ids: readonly number[]): Promise<Map<number, Ancestor>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Ancestor>`with recursive above (id, parent_id, name, deleted_at, removal_protection) as (
      select id, parent_id, name, deleted_at, removal_protection from files where id in (${sql.join(padIds(ids))})
      union
      select files.id, files.parent_id, files.name, files.deleted_at, files.removal_protection from files join above on above.parent_id = files.id
    ) select * from above`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the ids from the entry's parent folder up to the root. */
export function ancestorIdsOf(ancestors: ReadonlyMap<number, Ancestor>, id: number): number[] {
  const ancestorIds: number[] = [];
  for (let parentId = ancestors.get(id)?.parent_id ?? null; parentId !== null; parentId = ancestors.get(parentId)?.parent_id ?? null)
    ancestorIds.push(parentId);
  return ancestorIds;
}

/** Returns the folders above an entry, from the top, without the root. */
export async function loadFolders(db: Db, id: number): Promise<{ id: number; name: string }[]> {
  const ancestors = await loadAncestors(db, [id]);
  const folders = ancestorIdsOf(ancestors, id).flatMap((ancestorId) => ancestors.get(ancestorId) ?? []);
  return folders.toReversed().flatMap(({ id: folderId, name, parent_id }) => (parent_id === null ? [] : { id: folderId, name }));
}

/** Returns the depth of a folder; the root is 0. */
export const loadDepth = async (db: Db, folderId: number): Promise<number> => ancestorIdsOf(await loadAncestors(db, [folderId]), folderId).length;

/** Returns the number of nested folder levels below these entries, including themselves. */
export async function loadHeight(db: Db, topIds: readonly number[]): Promise<number> {
  const { rows } = await sql<{ height: number | null }>`with recursive folders (id, level) as (
      select files.id, 1 from files where files.id in (${sql.join(padIds(topIds))}) and files.is_folder = 1 and files.deleted_at is null
      union all
      select files.id, folders.level + 1 from folders cross join files
        where files.parent_id = folders.id and files.is_folder = 1 and files.deleted_at is null
    ) select max(level) as height from folders`.execute(db);
  return rows[0]?.height ?? 0;
}

/** Throws a 409 beyond the depth limit, which keeps paths short enough for zips and file systems. */
export function assertDepth(depth: number): void {
  if (depth > LIMITS.folder_depth) throw conflict(`At most ${LIMITS.folder_depth} levels of folders are allowed.`);
}

/** Returns how many folders the project can still get. Negative where there were more before the limit existed. */
export async function loadRemainingFolders(db: Db, projectId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
      select 1 as one from files where project_id = ${projectId} and is_folder = 1 and deleted_at is null limit ${LIMITS.folders_per_project + 1}
    ) counted`.execute(db);
  return LIMITS.folders_per_project - (rows[0]?.count ?? 0);
}

/** Throws a 409 if so many more folders would exceed the limit of the project. */
export async function assertRemainingFolders(db: Db, projectId: number, addedCount: number): Promise<void> {
  if ((await loadRemainingFolders(db, projectId)) < addedCount)
    throw conflict(`A project can have at most ${formatCount(LIMITS.folders_per_project)} folders. Delete some that you no longer need.`);
}

/** Returns the distinct entries that are in none of the others, because nested entries follow their ancestor. */
export async function selectTopmost<T extends { id: number }>(db: Db, entries: readonly T[]): Promise<T[]> {
  const ancestors = await loadAncestors(
    db,
    entries.map(({ id }) => id),
  );
  const selectedIds = new Set(entries.map(({ id }) => id));
  const topEntries = entries.filter(({ id }) => !ancestorIdsOf(ancestors, id).some((folder) => selectedIds.has(folder)));
  return [...new Map(topEntries.map((entry) => [entry.id, entry])).values()];
}
