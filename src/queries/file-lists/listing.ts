/**
 * A paged listing of files merged with live events: each entry occurs once, in sort order, at its newest known revision. The pages reach up to
 * `boundary`; events never insert an entry beyond it, since a later page delivers that entry. Membership and order follow the service's rules; see
 * `contract/file-order.ts`.
 */
import { compareKeys, type FileSort, foldName, nameOrderKey } from "../../../contract/file-order.ts";
import type { FileEntry } from "../../../contract/file-records.ts";
import { endOfDay, startOfDay } from "../../lib/days.ts";
import { memoizeByIdentity } from "../../lib/memoize-by-identity.ts";
import type { FolderHierarchy } from "./folder-tree.ts";
import { type FileListQuery, type Filter, isDeep, type SortOrder } from "./list-query.ts";

export interface Listing {
  entries: readonly FileEntry[];
  /** Cursor of the next page; null after the last page. */
  nextCursor: string | null;
  /** The last entry of the last page as it was when read; the service continues after that position. */
  boundary: FileEntry | null;
}

interface Page {
  data: FileEntry[];
  next_cursor: string | null;
}

type Compare = (a: FileEntry, b: FileEntry) => number;

/** Order and membership of one listing; `matches` returns undefined when only the service can decide. */
export interface ListingRules {
  compare: Compare;
  matches(entry: FileEntry): boolean | undefined;
}

export type ListingEvent = { entry: FileEntry } | { removedId: number };

export const toListing = (page: Page): Listing => appendPage({ entries: [], nextCursor: null, boundary: null }, page);

/** Appends the page at the cursor. An entry that an event inserted before stays in place unless the page has a newer revision. */
export function appendPage(listing: Listing, page: Page): Listing {
  const existing = new Map(listing.entries.map((entry) => [entry.id, entry]));
  const isOlder = (entry: FileEntry) => revisionOf(entry) <= revisionOf(existing.get(entry.id)!);
  const fresh = page.data.filter((entry) => !existing.has(entry.id) || !isOlder(entry));
  const freshIds = new Set(fresh.map(({ id }) => id));
  return {
    entries: [...listing.entries.filter(({ id }) => !freshIds.has(id)), ...fresh],
    nextCursor: page.next_cursor,
    boundary: page.next_cursor === null ? null : (page.data.at(-1) ?? listing.boundary),
  };
}

/** Returns the listing after an event: the same object when unaffected, null when the result must be refetched. */
export function applyListingEvent(listing: Listing, event: ListingEvent, { compare, matches }: ListingRules): Listing | null {
  if ("removedId" in event) return withoutEntry(listing, event.removedId);
  const index = listing.entries.findIndex(({ id }) => id === event.entry.id);
  const existing = listing.entries[index];
  // Events are the same for every user and listing, so the cached unread flag and metadata stay.
  const entry = existing ? { has_unread_comments: existing.has_unread_comments, metadata: existing.metadata, ...event.entry } : event.entry;
  if (existing && revisionOf(entry) < revisionOf(existing)) return listing;
  const isMatch = matches(entry);
  if (isMatch === undefined) return null;
  const isWithinLoaded = listing.nextCursor === null || (listing.boundary !== null && compare(entry, listing.boundary) <= 0);
  if (!isMatch || !isWithinLoaded) return withoutEntry(listing, entry.id);
  // The entry keeps its position, so nothing else moves.
  if (existing && compare(existing, entry) === 0) return { ...listing, entries: listing.entries.with(index, entry) };
  const remaining = existing ? listing.entries.toSpliced(index, 1) : listing.entries;
  return { ...listing, entries: remaining.toSpliced(insertionIndex(remaining, entry, compare), 0, entry) };
}

/** Returns the index of the first entry that sorts after `entry`. */
function insertionIndex(entries: readonly FileEntry[], entry: FileEntry, compare: Compare): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(entries[middle]!, entry) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function withoutEntry(listing: Listing, entryId: number): Listing {
  const index = listing.entries.findIndex(({ id }) => id === entryId);
  return index < 0 ? listing : { ...listing, entries: listing.entries.toSpliced(index, 1) };
}

const revisionOf = ({ revision }: FileEntry): number => revision ?? 0;

/** Updates one entry; all others keep their identity, so that only the changed row renders again. */
export const updateEntry = (listing: Listing, id: number, update: (entry: FileEntry) => FileEntry): Listing => {
  const index = listing.entries.findIndex((entry) => entry.id === id);
  const existing = listing.entries[index];
  if (!existing) return listing;
  const updated = update(existing);
  return updated === existing ? listing : { ...listing, entries: listing.entries.with(index, updated) };
};

/** Returns the start and the exclusive end of the user's local days. */
export function dateRange({ from, to }: Pick<Filter, "from" | "to">): { from: Date | null; to: Date | null } {
  return { from: from === null ? null : startOfDay(from), to: to === null ? null : endOfDay(to) };
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

/** Returns whether the entry belongs in the listing; undefined when its folder is unknown, or metadata decides, which events do not have. */
export function matchesQuery(query: FileListQuery, tree: FolderHierarchy | undefined, entry: FileEntry): boolean | undefined {
  const isMatch = isDeep(query) ? matchesDeep(query, tree, entry) : entry.parent_id === query.folderId;
  return isMatch && (query.sortField !== null || query.metadata.length > 0) ? undefined : isMatch;
}

const matchesDeep = (query: FileListQuery, tree: FolderHierarchy | undefined, entry: FileEntry): boolean | undefined =>
  matchesFilter(query, entry) && !(query.isFlat && entry.is_folder) && entry.id !== query.folderId && tree?.isIn(entry.parent_id, query.folderId);

/** Computing a name key costs more than a comparison, and sorting compares each name many times. */
const nameKeyOf = memoizeByIdentity((entry: FileEntry) => nameOrderKey(entry.name, entry.is_folder));

const byName: Compare = (a, b) => compareKeys(nameKeyOf(a), nameKeyOf(b));

const COMPARATORS: Record<FileSort, Compare> = {
  name: byName,
  changed: (a, b) => Date.parse(a.changed_at) - Date.parse(b.changed_at),
  created: (a, b) => Date.parse(a.created_at) - Date.parse(b.created_at),
  size: (a, b) => a.size - b.size,
  duration: (a, b) => a.duration - b.duration,
  bpm: (a, b) => a.bpm - b.bpm,
  status: (a, b) => (a.status?.position ?? -1) - (b.status?.position ?? -1) || byName(a, b),
  kind: (a, b) => compareKeys(a.kind, b.kind) || byName(a, b),
};

/** Detects entries without a value for a sort column that puts them last. */
const IS_MISSING: Partial<Record<FileSort, (entry: FileEntry) => boolean>> = {
  size: ({ size }) => size === 0,
  duration: ({ duration }) => duration === 0,
  bpm: ({ bpm }) => bpm === 0,
  status: ({ status }) => status === null,
};

/** Compares entries: folders come first when sorting by name, and entries without a value come last, in both directions. */
export function compareBy(sort: FileSort, order: SortOrder): Compare {
  const compareValues = COMPARATORS[sort];
  const isMissing = IS_MISSING[sort] ?? (() => false);
  const direction = order === "asc" ? 1 : -1;
  return (a, b) => {
    if (sort === "name" && a.is_folder !== b.is_folder) return a.is_folder ? -1 : 1;
    if (isMissing(a) !== isMissing(b)) return isMissing(a) ? 1 : -1;
    return direction * (compareValues(a, b) || a.id - b.id);
  };
}
