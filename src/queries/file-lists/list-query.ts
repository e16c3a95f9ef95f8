/** The query of a file listing (a folder, a filter and a sort order), and the cache keys of a project's files. */
import type { FileSort } from "../../../contract/file-order.ts";
import type { MetadataCondition } from "../../../contract/metadata-filter.ts";
import type { EntryKind } from "../../../contract/file-records.ts";

export type SortOrder = "asc" | "desc";

/** A filter; an empty one selects everything directly in the folder. */
export interface Filter {
  /** Substring of the name. */
  q: string;
  kind: EntryKind | null;
  /** Status ids, or "none" for files without a status; any of them matches. */
  status: readonly (number | "none")[];
  bpmMin: number | null;
  bpmMax: number | null;
  key: string | null;
  tag: string | null;
  uploader: number | null;
  /** Days in the user's time zone ("2026-11-17"), both inclusive. */
  from: string | null;
  to: string | null;
  /** Conditions on metadata fields, at most one for each; all of them match. */
  metadata: readonly MetadataCondition[];
}

/** By a column of the listing, or with `sortField` by this metadata field instead. */
export interface Sorting {
  sort: FileSort;
  sortField: number | null;
  order: SortOrder;
}

export interface FileListQuery extends Filter, Sorting {
  folderId: number;
  /** True for the files of the folder and everything below it, without the folders themselves. */
  isFlat: boolean;
  /** Ids of the metadata fields whose values the entries have. */
  fields: readonly number[];
}

export const NO_FILTER: Filter = {
  q: "",
  kind: null,
  status: [],
  bpmMin: null,
  bpmMax: null,
  key: null,
  tag: null,
  uploader: null,
  from: null,
  to: null,
  metadata: [],
};

/** Returns the default direction of a column: ascending for name, kind and status, otherwise largest or newest first. */
export const defaultSortOrder = (sort: FileSort): SortOrder => (sort === "name" || sort === "kind" || sort === "status" ? "asc" : "desc");

/** Returns whether any filter is set; a filtered listing covers everything below the folder. */
export const isFiltered = ({ q, kind, status, bpmMin, bpmMax, key, tag, uploader, from, to, metadata }: Filter): boolean =>
  q !== "" || status.length > 0 || metadata.length > 0 || [kind, bpmMin, bpmMax, key, tag, uploader, from, to].some((value) => value !== null);

/** Returns whether the listing covers everything below the folder. */
export const isDeep = (query: FileListQuery): boolean => query.isFlat || isFiltered(query);

export const fileListKeys = {
  all: ["file-lists"] as const,
  /** Everything cached of a project's tree. */
  project: (projectId: number) => ["file-lists", projectId] as const,
  folders: (projectId: number) => ["file-lists", projectId, "folders"] as const,
  facets: (projectId: number, folderId: number) => ["file-lists", projectId, "facets", folderId] as const,
  list: (projectId: number, query: FileListQuery) => ["file-lists", projectId, "list", query] as const,
};

/** Everything cached of deleted files. */
export const DELETED_FILES_KEY = ["deleted-files"] as const;
