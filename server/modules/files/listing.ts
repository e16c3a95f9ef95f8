/** Pages of the files view: a folder or everything below it, filtered and sorted, with keyset cursors so that no entry repeats or is skipped. */
import { fileNameKey, nameOrderKey } from "../../../contract/file-order.ts";
import { LIMITS } from "../../../contract/limits.ts";
import type { MetadataCondition } from "../../../contract/metadata-filter.ts";
import { loadAuthorizedProject, type Actor, visibleProjects } from "../../access/access.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db, Row } from "../../db/schema.ts";
import { loadPage, takeFrom } from "../../http/paging.ts";
import type { JsonText } from "../../http/responses.ts";
import { invalid, notFound } from "../../lib/errors.ts";
import { unreadMark } from "../projects/page-texts.ts";
import { flagUnreadFiles } from "../projects/unread.ts";
import type { FileViewDeps } from "./deps.ts";
import { loadProjectFields, loadValues, type TeamField } from "./metadata-fields.ts";
import { type MetadataTest, toTests } from "./metadata-query.ts";
import {
  buildConditions,
  BY_NAME,
  createCursor,
  type Cursor,
  encodeFileCursor,
  excludesFiles,
  excludesFolders,
  type Filter,
  isFiltering,
  type ListingScope,
  NO_FILTER,
  SECTIONS,
  selectPage,
  selectValuePage,
  type SortKeyRow,
  type SortOrder,
} from "./page-query.ts";
import type { FilesViewEntry } from "./presenter.ts";
import { loadFilesViewEntries, loadAuthorizedFile } from "./repository.ts";
import { loadAncestors, ancestorIdsOf } from "./tree.ts";

interface PageQuery extends SortOrder {
  filter: Filter;
  cursor: Cursor | null;
  limit: number;
}
export interface ListingQuery extends PageQuery {
  folderId: number | null;
  deep: boolean;
  /** Metadata fields whose values the entries show. */
  columns?: readonly TeamField[];
}
/** What a listing asks for of metadata. */
export interface MetadataQuery {
  fieldIds: readonly number[];
  sortFieldId: number | null;
  conditions: readonly MetadataCondition[];
}
export interface ListedMetadata {
  fields: TeamField[];
  sortField: TeamField | null;
  tests: MetadataTest[] | null;
}
export interface ListingPage {
  entries: FilesViewEntry[];
  /** The sort key of the last entry; null on the last page. */
  last: SortKeyRow | null;
}

/** The sort key before all others: the first page of one entry ends with the root, which is in no order. */
const BEFORE_FIRST: SortKeyRow = { is_folder: 1, order_key: "", id: 0 } as SortKeyRow;

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

async function withMetadata(db: Db, entries: FilesViewEntry[], columns: readonly TeamField[]): Promise<FilesViewEntry[]> {
  if (columns.length === 0) return entries;
  const values = await loadValues(
    db,
    entries.map(({ file }) => file),
    columns,
  );
  return entries.map((entry) => (entry.file.is_folder === 1 ? entry : { ...entry, metadata: values.get(entry.file.id) ?? {} }));
}

/** Returns rows in the order of `ids`, without those deleted since the ids were read. */
async function loadRows(db: Db, ids: readonly number[]): Promise<Row<"files">[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom("files").selectAll().where("id", "in", padIds(ids)).where("deleted_at", "is", null).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Returns the project and the id of its folder, the root for null. Throws a 404 or 400 unless the actor sees it and it is a folder of the project. */
export async function resolveFolder(read: Db, actor: Actor, projectId: number, folderId: number | null): Promise<{ project: Row<"projects">; folder: number }> {
  const project = await loadAuthorizedProject(read, actor, "file.read", projectId);
  if (folderId === null || folderId === project.root_folder_id) return { project, folder: project.root_folder_id ?? 0 };
  const folder = await loadAuthorizedFile(read, actor, "file.read", folderId);
  if (folder.project_id !== project.id) throw notFound("folder in this project");
  if (folder.is_folder === 0) throw invalid("folder_id", "must be a folder");
  return { project, folder: folder.id };
}

interface ResolvedScope {
  read: Db;
  project: Row<"projects">;
  /** Id of the listed folder. */
  folder: number;
  scope: ListingScope;
}

/** Sets the mark for `has_unread_comments`, for a page that is kept for all readers. */
const markUnread = (entry: FilesViewEntry): FilesViewEntry => (entry.file.is_folder === 1 ? entry : { ...entry, hasUnreadComments: unreadMark(entry.file.id) });

export function createListing({ database, present, pageTexts }: Pick<FileViewDeps, "database" | "present" | "pageTexts">) {
  async function resolveScope(actor: Actor, projectId: number, query: ListingQuery): Promise<ResolvedScope> {
    // A folder without a filter has an index for each order; everything else may scan the whole project.
    const read = query.deep || isFiltering(query.filter) ? database.backgroundRead : database.read;
    const { project, folder } = await resolveFolder(database.read, actor, projectId, query.folderId);
    if (!query.deep) return { read, project, folder, scope: { folderId: folder } };
    return { read, project, folder, scope: folder === project.root_folder_id ? { projectId: project.id } : { belowFolderId: folder } };
  }

  async function withDetails(read: Db, folder: number, query: ListingQuery, entries: FilesViewEntry[]): Promise<FilesViewEntry[]> {
    const detailed = await withMetadata(read, entries, query.columns ?? []);
    return query.deep ? withPaths(read, folder, detailed) : detailed;
  }

  return {
    /** Returns the metadata fields that a listing asks for. Throws a 400 for a field that the project's team does not have, or a condition that does not fit it. */
    async metadataOf(actor: Actor, projectId: number, { fieldIds, sortFieldId, conditions }: MetadataQuery): Promise<ListedMetadata> {
      if (fieldIds.length === 0 && sortFieldId === null && conditions.length === 0) return { fields: [], sortField: null, tests: null };
      if (fieldIds.length > LIMITS.metadata_columns) throw invalid("fields", `must be at most ${LIMITS.metadata_columns} fields`);
      const project = await loadAuthorizedProject(database.read, actor, "file.read", projectId);
      const fields = await loadProjectFields(database.read, project.id);
      const find = (id: number, path: string): TeamField => {
        const field = fields.get(id);
        if (!field) throw invalid(path, "must be metadata fields of the project's team");
        return field;
      };
      return {
        fields: [...new Set(fieldIds)].map((id) => find(id, "fields")),
        sortField: sortFieldId === null ? null : find(sortFieldId, "sort_field_id"),
        tests: conditions.length === 0 ? null : toTests(fields, conditions),
      };
    },

    /** Returns a page of the folder, with the values of metadata columns. */
    async list(actor: Actor, projectId: number, query: ListingQuery): Promise<ListingPage> {
      const { read, folder, scope } = await resolveScope(actor, projectId, query);
      return loadListingPage(read, scope, query, async (entries) => withDetails(read, folder, query, await flagUnreadFiles(read, actor.accountId, entries)));
    },

    /** Returns such a page as the response to `listFiles`. */
    async listText(actor: Actor, projectId: number, query: ListingQuery): Promise<JsonText> {
      const { read, project, folder, scope } = await resolveScope(actor, projectId, query);
      const build = async () => {
        const { texts, last } = await loadListingPage(read, scope, query, (entries) => withDetails(read, folder, query, entries.map(markUnread)));
        const cursor = last ? encodeFileCursor(createCursor(query, last), query) : null;
        return `{"object":"list","data":[${texts.join(",")}],"next_cursor":${JSON.stringify(cursor)}}`;
      };
      return pageTexts.load(actor, project, { files: scope, query }, build, { waitsForTurn: read === database.backgroundRead });
    },

    /** Returns a page of a folder, folders first, by name. */
    async listFolder(actor: Actor, folderId: number, page: { cursor: Cursor | null; limit: number }): Promise<ListingPage> {
      const folder = await loadAuthorizedFile(database.read, actor, "file.read", folderId);
      if (folder.is_folder === 0) throw invalid("file_id", "must be a folder");
      return loadListingPage(database.read, { folderId: folder.id }, { ...BY_NAME, filter: NO_FILTER, ...page });
    },

    /** Returns a page of all folders of the project by name; the root comes first. */
    async folders(actor: Actor, projectId: number, page: { cursor: Cursor | null; limit: number }): Promise<ListingPage> {
      const read = database.backgroundRead;
      const project = await loadAuthorizedProject(read, actor, "file.read", projectId);
      const query = { ...BY_NAME, filter: { ...NO_FILTER, kinds: ["folder" as const] }, ...page };
      if (page.cursor !== null || project.root_folder_id === null) return loadListingPage(read, { projectId: project.id }, query);
      const root = await loadFilesViewEntries(read, await loadRows(read, [project.root_folder_id]));
      if (page.limit === 1) return { entries: root, last: BEFORE_FIRST };
      const { entries, last } = await loadListingPage(read, { projectId: project.id }, { ...query, limit: page.limit - 1 });
      return { entries: [...root, ...entries], last };
    },
  };

  /** `addDetails` completes the entries of a batch. */
  async function loadListingPage(
    read: Db,
    scope: ListingScope,
    query: PageQuery,
    addDetails: (entries: FilesViewEntry[]) => Promise<FilesViewEntry[]> = async (entries) => entries,
  ): Promise<ListingPage & { texts: string[] }> {
    const keys = await loadSortKeys(read, scope, { ...query, limit: query.limit + 1 });
    const { rows, views, texts, hasMore } = await loadPage<SortKeyRow, FilesViewEntry>({
      limit: query.limit,
      load: takeFrom(keys),
      async complete(sortKeyRows) {
        const ids = sortKeyRows.map(({ id }) => id);
        const entries = await addDetails(await loadFilesViewEntries(read, await loadRows(read, ids)));
        const byId = new Map(entries.map((entry) => [entry.file.id, entry]));
        return ids.map((id) => byId.get(id));
      },
      present: present.presentEntry,
    });
    return { entries: views, texts, last: hasMore ? (rows.at(-1) ?? null) : null };
  }
}

/** Returns the sort keys of the next entries, section by section. */
async function loadSortKeys(db: Db, scope: ListingScope, query: PageQuery): Promise<SortKeyRow[]> {
  return query.field ? loadKeysByField(db, scope, { ...query, field: query.field }) : loadKeysOfSections(db, scope, query);
}

/** Files with a value come first in both directions, then everything else by name. */
async function loadKeysByField(db: Db, scope: ListingScope, query: PageQuery & { field: TeamField }): Promise<SortKeyRow[]> {
  const { cursor, limit, field, filter } = query;
  const isAfterValues = cursor !== null && cursor.section !== 2;
  const withValue = isAfterValues ? [] : (await selectValuePage(scope, query, { after: cursor?.values ?? null, limit }).execute(db)).rows;
  if (withValue.length === limit) return withValue;
  const rest: PageQuery = { ...BY_NAME, filter: { ...filter, withoutField: field }, cursor: isAfterValues ? cursor : null, limit: limit - withValue.length };
  return [...withValue, ...(await loadKeysOfSections(db, scope, rest))];
}

async function loadKeysOfSections(db: Db, scope: ListingScope, query: PageQuery): Promise<SortKeyRow[]> {
  const sortKeyRows: SortKeyRow[] = [];
  for (const section of SECTIONS[query.sort]) {
    // Skips sections that the cursor has passed, and the folder or file section if the filter excludes it.
    if (section === 1 && (query.cursor?.section === 0 || (query.sort === "name" && excludesFolders(query.filter)))) continue;
    if (section === 0 && query.sort === "name" && excludesFiles(query.filter)) continue;
    const after = query.cursor && (section === null || query.cursor.section === section) ? query.cursor.values : null;
    sortKeyRows.push(...(await selectPage(db, scope, query, { section, after, limit: query.limit - sortKeyRows.length }).execute()));
    if (sortKeyRows.length === query.limit) break;
  }
  return sortKeyRows;
}

export interface FindInput {
  /** null: projects without a group. */
  groupId: number | null | undefined;
  query: string | undefined;
  name: string | undefined;
  tag: string | undefined;
  /** null: files without a status. */
  statusId: number | null | undefined;
  /** When the current version was uploaded. */
  from: number | null;
  to: number | null;
  limit: number;
  offset: number;
}

/** Returns visible files of the team, newest first. Each filter has an index, or at least one that covers it. */
export async function findRows(db: Db, actor: Actor, teamId: number, input: FindInput): Promise<Row<"files">[]> {
  let projects = visibleProjects(db, actor).select("projects.id").where("projects.team_id", "=", teamId);
  if (input.groupId !== undefined)
    projects = input.groupId === null ? projects.where("projects.group_id", "is", null) : projects.where("projects.group_id", "=", input.groupId);
  let query = db
    .selectFrom("files")
    .select("files.id")
    .where("files.project_id", "in", projects)
    .where("files.deleted_at", "is", null)
    .where("files.is_folder", "=", 0);
  if (input.name !== undefined)
    query = query.where("files.order_key", "=", nameOrderKey(input.name.trim(), false)).where("files.name_key", "=", fileNameKey(input.name.trim()));
  if (input.tag !== undefined)
    query = query.where("files.id", "in", db.selectFrom("file_tags").select("file_id").where("project_id", "in", projects).where("tag", "=", input.tag));
  const statusIds = input.statusId === undefined ? null : [input.statusId];
  for (const condition of buildConditions({ ...NO_FILTER, q: input.query ?? null, statusIds, from: input.from, to: input.to }))
    query = query.where(condition as never);
  const rows = await query.orderBy("files.id", "desc").limit(input.limit).offset(input.offset).execute();
  const ids = rows.map(({ id }) => id);
  return ids.length === 0 ? [] : db.selectFrom("files").selectAll().where("id", "in", padIds(ids)).orderBy("id", "desc").execute();
}
