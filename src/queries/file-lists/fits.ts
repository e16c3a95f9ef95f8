/** Decides by the service's rules whether an entry from a live event belongs in a listing. */
import { foldName } from "../../../contract/file-order.ts";
import type { FileEntry } from "../../../contract/file-records.ts";
import type { Tree } from "./tree.ts";
import { isFiltered, type Filter, type FileListQuery } from "./wish.ts";

const DAY_MS = 86_400_000;

/** Returns the start and the exclusive end of the user's local days. */
export function dateRange({ from, to }: Pick<Filter, "from" | "to">): { from: Date | null; to: Date | null } {
  if (to === null) return { from: from === null ? null : new Date(`${from}T00:00`), to: null };
  const end = new Date(`${to}T00:00`);
  // Calendar arithmetic is needed because a day with a clock change has 23 or 25 hours.
  end.setDate(end.getDate() + 1);
  return { from: from === null ? null : new Date(`${from}T00:00`), to: Number.isNaN(end.getTime()) ? new Date(8.64e15 - DAY_MS) : end };
}

export function matchesFilter(filter: Filter, entry: FileEntry): boolean {
  const { q, kind, status, bpmMin, bpmMax, key, tag, uploader } = filter;
  const { from, to } = dateRange(filter);
  const changedAt = Date.parse(entry.changed_at);
  return (
    (q === "" || foldName(entry.name).includes(foldName(q))) &&
    (kind === null || entry.kind === kind) &&
    (status.length === 0 || (!entry.is_folder && status.includes(entry.status?.id ?? "none"))) &&
    ((bpmMin === null && bpmMax === null) || entry.bpm > 0) &&
    (bpmMin === null || entry.bpm >= bpmMin) &&
    (bpmMax === null || entry.bpm <= bpmMax) &&
    (key === null || entry.key === key) &&
    (tag === null || entry.tags.includes(tag)) &&
    (uploader === null || entry.account_id === uploader) &&
    (from === null || changedAt >= from.getTime()) &&
    (to === null || changedAt < to.getTime())
  );
}

/** Returns whether the entry belongs in the listing; undefined when its folder is unknown. */
export function matchesQuery(query: FileListQuery, tree: Tree | undefined, entry: FileEntry): boolean | undefined {
  if (!isFiltered(query)) return entry.parent_id === query.folderId;
  if (!matchesFilter(query, entry) || entry.id === query.folderId) return false;
  return tree?.isIn(entry.parent_id, query.folderId);
}
