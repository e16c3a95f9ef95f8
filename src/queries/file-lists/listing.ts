/**
 * A paged listing of files merged with live events: each entry occurs once, in sort order, at its newest known revision. The pages reach up to
 * `boundary`; events never insert an entry beyond it, since a later page delivers that entry.
 */
import type { FileEntry } from "../../../contract/file-records.ts";

export interface Listing {
  entries: readonly FileEntry[];
  /** Cursor of the next page; null after the last page. */
  nextCursor: string | null;
  /** The last entry of the last page as it was when read; the service continues after that position. */
  boundary: FileEntry | null;
}

export interface Page {
  data: FileEntry[];
  next_cursor: string | null;
}

/** Order and membership of one listing; `matches` returns undefined when only the service can decide. */
export interface ListingRules {
  compare(a: FileEntry, b: FileEntry): number;
  matches(entry: FileEntry): boolean | undefined;
}

export type ListingEvent = { entry: FileEntry } | { removedId: number };

const revisionOf = ({ revision }: FileEntry): number => revision ?? 0;

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

/** Returns the index of the first entry that sorts after `entry`. */
function insertionIndex(entries: readonly FileEntry[], entry: FileEntry, compare: ListingRules["compare"]): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(entries[middle]!, entry) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the listing after an event: the same object when unaffected, null when only the service knows the result. */
export function applyListingEvent(listing: Listing, event: ListingEvent, { compare, matches }: ListingRules): Listing | null {
  if ("removedId" in event) return withoutEntry(listing, event.removedId);
  const index = listing.entries.findIndex(({ id }) => id === event.entry.id);
  const existing = listing.entries[index];
  // Events are the same for every user, so the cached unread flag stays.
  const entry = existing ? { has_unread_comments: existing.has_unread_comments, ...event.entry } : event.entry;
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

function withoutEntry(listing: Listing, entryId: number): Listing {
  const index = listing.entries.findIndex(({ id }) => id === entryId);
  return index < 0 ? listing : { ...listing, entries: listing.entries.toSpliced(index, 1) };
}

/** Updates one entry; all others keep their identity, so that only the changed row renders again. */
export const updateEntry = (listing: Listing, id: number, update: (entry: FileEntry) => FileEntry): Listing => {
  const index = listing.entries.findIndex((entry) => entry.id === id);
  const existing = listing.entries[index];
  if (!existing) return listing;
  const updated = update(existing);
  return updated === existing ? listing : { ...listing, entries: listing.entries.with(index, updated) };
};
