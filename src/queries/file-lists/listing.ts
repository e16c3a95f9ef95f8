/**
 * A listing of files, page by page, with what the live channel tells meanwhile: every entry once, in its place, as new as is known.
 * The pages reach up to `edge`; what lies beyond it comes with a later page and is never put in by an event.
 */
import type { FileEntry } from "../../../contract/file-records.ts";

export interface Listing {
  entries: readonly FileEntry[];
  /** Where the next page begins; null: that was all. */
  next: string | null;
  /** The last entry of the last page, as it was when the page was read: the service goes on after that place. */
  edge: FileEntry | null;
}

export interface Page {
  data: FileEntry[];
  next_cursor: string | null;
}

/** How one listing is ordered, and whether an entry belongs into it; undefined: only the service can tell. */
export interface Place {
  compare(a: FileEntry, b: FileEntry): number;
  fits(entry: FileEntry): boolean | undefined;
}

export type News = { entry: FileEntry } | { gone: number };

const revisionOf = ({ revision }: FileEntry): number => revision ?? 0;

export const toListing = (page: Page): Listing => appendPage({ entries: [], next: null, edge: null }, page);

/** The listing with the page that its cursor has led to. An entry that is there already was told by an event: the newer one stays, in its place. */
export function appendPage(listing: Listing, page: Page): Listing {
  const known = new Map(listing.entries.map((entry) => [entry.id, entry]));
  const isOlder = (entry: FileEntry) => revisionOf(entry) <= revisionOf(known.get(entry.id)!);
  const fresh = page.data.filter((entry) => !known.has(entry.id) || !isOlder(entry));
  const moved = new Set(fresh.map(({ id }) => id));
  return {
    entries: [...listing.entries.filter(({ id }) => !moved.has(id)), ...fresh],
    next: page.next_cursor,
    edge: page.next_cursor === null ? null : (page.data.at(-1) ?? listing.edge),
  };
}

/** Where an entry stands among sorted ones: the first place whose entry comes after it. */
function placeOf(entries: readonly FileEntry[], entry: FileEntry, compare: Place["compare"]): number {
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
export function withNews(listing: Listing, news: News, { compare, fits }: Place): Listing | null {
  if ("gone" in news) return without(listing, news.gone);
  const at = listing.entries.findIndex(({ id }) => id === news.entry.id);
  const known = listing.entries[at];
  // News is the same for everybody: what this person has not read stays as it was.
  const entry = known ? { has_unread_comments: known.has_unread_comments, ...news.entry } : news.entry;
  if (known && revisionOf(entry) < revisionOf(known)) return listing;
  const fitting = fits(entry);
  if (fitting === undefined) return null;
  const isReached = listing.next === null || (listing.edge !== null && compare(entry, listing.edge) <= 0);
  if (!fitting || !isReached) return without(listing, entry.id);
  // In its place already: nothing else moves.
  if (known && compare(known, entry) === 0) return { ...listing, entries: listing.entries.with(at, entry) };
  const others = known ? listing.entries.toSpliced(at, 1) : listing.entries;
  return { ...listing, entries: others.toSpliced(placeOf(others, entry, compare), 0, entry) };
}

function without(listing: Listing, gone: number): Listing {
  const at = listing.entries.findIndex(({ id }) => id === gone);
  return at < 0 ? listing : { ...listing, entries: listing.entries.toSpliced(at, 1) };
}

/** Everything above the change keeps its object, so that only what has changed is drawn. */
export const withChange = (listing: Listing, id: number, change: (entry: FileEntry) => FileEntry): Listing => {
  const at = listing.entries.findIndex((entry) => entry.id === id);
  const known = listing.entries[at];
  if (!known) return listing;
  const changed = change(known);
  return changed === known ? listing : { ...listing, entries: listing.entries.with(at, changed) };
};
