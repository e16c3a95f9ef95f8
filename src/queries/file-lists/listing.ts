/**
 * A listing of files, page by page, with what the live channel tells meanwhile: every entry once, in its place, as new as is known.
 * The pages reach up to `boundary`; what lies beyond it comes with a later page and is never put in by an event.
 */
import type { FileEntry } from "../../../contract/file-records.ts";

export interface Listing {
  entries: readonly FileEntry[];
  /** Where the next page begins; null: that was all. */
  nextCursor: string | null;
  /** The last entry of the last page, as it was when the page was read: the service goes on after that place. */
  boundary: FileEntry | null;
}

export interface Page {
  data: FileEntry[];
  next_cursor: string | null;
}

/** How one listing is ordered, and whether an entry belongs into it; undefined: only the service can tell. */
export interface ListingRules {
  compare(a: FileEntry, b: FileEntry): number;
  matches(entry: FileEntry): boolean | undefined;
}

export type ListingEvent = { entry: FileEntry } | { removedId: number };

const revisionOf = ({ revision }: FileEntry): number => revision ?? 0;

export const toListing = (page: Page): Listing => appendPage({ entries: [], nextCursor: null, boundary: null }, page);

/** The listing with the page that its cursor has led to. An entry that is there already was told by an event: the newer one stays, in its place. */
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

/** Where an entry stands among sorted ones: the first place whose entry comes after it. */
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

/** The listing after one piece of news; null where only the service can tell how it looks now. One that is not concerned stays the same object. */
export function applyListingEvent(listing: Listing, event: ListingEvent, { compare, matches }: ListingRules): Listing | null {
  if ("removedId" in event) return withoutEntry(listing, event.removedId);
  const index = listing.entries.findIndex(({ id }) => id === event.entry.id);
  const existing = listing.entries[index];
  // News is the same for everybody: what this person has not read stays as it was.
  const entry = existing ? { has_unread_comments: existing.has_unread_comments, ...event.entry } : event.entry;
  if (existing && revisionOf(entry) < revisionOf(existing)) return listing;
  const isMatch = matches(entry);
  if (isMatch === undefined) return null;
  const isWithinLoaded = listing.nextCursor === null || (listing.boundary !== null && compare(entry, listing.boundary) <= 0);
  if (!isMatch || !isWithinLoaded) return withoutEntry(listing, entry.id);
  // In its place already: nothing else moves.
  if (existing && compare(existing, entry) === 0) return { ...listing, entries: listing.entries.with(index, entry) };
  const remaining = existing ? listing.entries.toSpliced(index, 1) : listing.entries;
  return { ...listing, entries: remaining.toSpliced(insertionIndex(remaining, entry, compare), 0, entry) };
}

function withoutEntry(listing: Listing, entryId: number): Listing {
  const index = listing.entries.findIndex(({ id }) => id === entryId);
  return index < 0 ? listing : { ...listing, entries: listing.entries.toSpliced(index, 1) };
}

/** Everything above the change keeps its object, so that only what has changed is drawn. */
export const updateEntry = (listing: Listing, id: number, update: (entry: FileEntry) => FileEntry): Listing => {
  const index = listing.entries.findIndex((entry) => entry.id === id);
  const existing = listing.entries[index];
  if (!existing) return listing;
  const updated = update(existing);
  return updated === existing ? listing : { ...listing, entries: listing.entries.with(index, updated) };
};
