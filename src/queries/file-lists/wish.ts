/** What a listing of files is asked for: a folder, what is looked for in and below it, and in which order. */
import type { FileSort } from "../../../contract/file-order.ts";
import type { EntryKind } from "../../../contract/file-records.ts";

export type SortOrder = "asc" | "desc";

/** What is looked for. Nothing of it: all that is in the folder itself. */
export interface Filter {
  /** Part of the name. */
  q: string;
  kind: EntryKind | null;
  /** Ids of statuses; "none": without one. Any of them. */
  status: readonly (number | "none")[];
  bpmMin: number | null;
  bpmMax: number | null;
  key: string | null;
  tag: string | null;
  uploader: number | null;
  /** Days of the reader's calendar, "2026-11-17", both included. */
  from: string | null;
  to: string | null;
}

export interface FileListQuery extends Filter {
  folderId: number;
  sort: FileSort;
  order: SortOrder;
}

export const NO_FILTER: Filter = { q: "", kind: null, status: [], bpmMin: null, bpmMax: null, key: null, tag: null, uploader: null, from: null, to: null };

/** How people expect a column to begin: names and kinds from A, what is large or new first. */
export const defaultSortOrder = (sort: FileSort): SortOrder => (sort === "name" || sort === "kind" || sort === "status" ? "asc" : "desc");

/** Whether anything is looked for; then all that lies below the folder is looked through. */
export const isFiltered = ({ q, kind, status, bpmMin, bpmMax, key, tag, uploader, from, to }: Filter): boolean =>
  q !== "" || status.length > 0 || [kind, bpmMin, bpmMax, key, tag, uploader, from, to].some((value) => value !== null);
