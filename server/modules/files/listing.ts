/** Pages of the files view: a folder or everything below it, filtered and sorted, with keyset cursors so that no entry repeats or is skipped. */
import { loadAuthorizedProject, type Actor } from "../../access/access.ts";
import type { Database } from "../../db/database.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db, Row } from "../../db/schema.ts";
import { invalid, notFound } from "../../lib/errors.ts";
import { flagUnreadFiles } from "../projects/unread.ts";
import {
  type Cursor,
  excludesFolders,
  type Filter,
  isFiltering,
  type ListingScope,
  SECTIONS,
  selectPage,
  type SortKeyRow,
  type SortOrder,
} from "./page-query.ts";
import type { FilesViewEntry } from "./presenter.ts";
import { loadFilesViewEntries, loadAuthorizedFile } from "./repository.ts";
import { loadAncestors, ancestorIdsOf } from "./tree.ts";

export interface ListingQuery extends SortOrder {
  folderId: number | null;
  deep: boolean;
  filter: Filter;
  cursor: Cursor | null;
  limit: number;
}

/** Adds to each entry the names of the folders between `rootId` and the entry, such as "Stems/Drums". */
async function withPaths(db: Db, rootId: number, entries: FilesViewEntry[]): Promise<FilesViewEntry[]> {
  const ancestors = await loadAncestors(
    db,
    entries.map(({ file }) => file.id),
  );
  return entries.map((entry) => {
    const ancestorIds = ancestorIdsOf(ancestors, entry.file.id);
    const folderIds = ancestorIds.slice(0, Math.max(0, ancestorIds.indexOf(rootId))).toReversed();
    return { ...entry, path: folderIds.map((id) => ancestors.get(id)?.name ?? "").join("/") };
  });
}

/** Returns rows in the order of `ids`, without those deleted since the ids were read. */
async function loadRows(db: Db, ids: readonly number[]): Promise<Row<"files">[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom("files").selectAll().where("id", "in", padIds(ids)).where("deleted_at", "is", null).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export function createListing({ database }: { database: Database }) {
  async function resolveFolder(actor: Actor, projectId: number, folderId: number | null): Promise<{ project: Row<"projects">; folder: number }> {
    const project = await loadAuthorizedProject(database.read, actor, "file.read", projectId);
    if (folderId === null || folderId === project.root_folder_id) return { project, folder: project.root_folder_id ?? 0 };
    const folder = await loadAuthorizedFile(database.read, actor, "file.read", folderId);
    if (folder.project_id !== project.id) throw notFound("folder in this project");
    if (folder.is_folder === 0) throw invalid("folder_id", "must be a folder");
    return { project, folder: folder.id };
  }

  return {
    async list(actor: Actor, projectId: number, query: ListingQuery): Promise<{ entries: FilesViewEntry[]; last: SortKeyRow | null }> {
      // A folder without a filter has an index for each order; everything else may scan the whole project.
      const read = query.deep || isFiltering(query.filter) ? database.backgroundRead : database.read;
      const { project, folder } = await resolveFolder(actor, projectId, query.folderId);
      const scope: ListingScope = !query.deep
        ? { folderId: folder }
        : folder === project.root_folder_id
          ? { projectId: project.id }
          : { belowFolderId: folder };
      const sortKeyRows: SortKeyRow[] = [];
      for (const section of SECTIONS[query.sort]) {
        // Skips sections that the cursor has passed, and the folder section if the filter excludes folders.
        if (section === 1 && (query.cursor?.section === 0 || (query.sort === "name" && excludesFolders(query.filter)))) continue;
        const after = query.cursor && (section === null || query.cursor.section === section) ? query.cursor.values : null;
        sortKeyRows.push(...(await selectPage(read, scope, query, { section, after, limit: query.limit + 1 - sortKeyRows.length }).execute()));
        if (sortKeyRows.length > query.limit) break;
      }
      const pageRows = sortKeyRows.slice(0, query.limit);
      const page = await loadRows(
        read,
        pageRows.map(({ id }) => id),
      );
      const entries = await flagUnreadFiles(read, actor.accountId, await loadFilesViewEntries(read, page));
      return {
        entries: query.deep ? await withPaths(read, folder, entries) : entries,
        last: sortKeyRows.length > query.limit ? (pageRows.at(-1) ?? null) : null,
      };
    },

    /** Returns all folders of the project, the root first. */
    async folders(actor: Actor, projectId: number): Promise<FilesViewEntry[]> {
      const { read } = database;
      const project = await loadAuthorizedProject(read, actor, "file.read", projectId);
      const rows = await read
        .selectFrom("files")
        .selectAll()
        .where("project_id", "=", project.id)
        .where("is_folder", "=", 1)
        .where("deleted_at", "is", null)
        .orderBy("order_key")
        .orderBy("id")
        .execute();
      const root = rows.filter(({ parent_id }) => parent_id === null);
      return loadFilesViewEntries(read, [...root, ...rows.filter(({ parent_id }) => parent_id !== null)]);
    },
  };
}
