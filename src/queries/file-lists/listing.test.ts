import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FILE_SORTS } from "../../../contract/file-order.ts";
import type { FileEntry } from "../../../contract/file-records.ts";
import { buildEntry, buildFolder, buildListQuery, FOLDERS } from "./entry.fixture.ts";
import { buildTree } from "./folder-tree.ts";
import { type Filter, NO_FILTER } from "./list-query.ts";
import {
  appendPage,
  applyListingEvent,
  compareBy,
  dateRange,
  type Listing,
  type ListingEvent,
  type ListingRules,
  matchesFilter,
  matchesQuery,
  toListing,
} from "./listing.ts";

const PAGE = 3;
const FOLDER = 1;

/** A service with keyset pages and an event for each change. */
class Service {
  files = new Map<number, FileEntry>();
  events: ListingEvent[] = [];
  readonly compare: ListingRules["compare"];
  constructor(compare: ListingRules["compare"]) {
    this.compare = compare;
  }
  inOrder(): FileEntry[] {
    return [...this.files.values()].filter(({ parent_id }) => parent_id === FOLDER).toSorted(this.compare);
  }
  page(after: FileEntry | null): { data: FileEntry[]; next_cursor: string | null; last: FileEntry | null } {
    const remaining = this.inOrder().filter((entry) => after === null || this.compare(entry, after) > 0);
    const data = remaining.slice(0, PAGE);
    const isMore = remaining.length > PAGE;
    return { data, next_cursor: isMore ? "more" : null, last: isMore ? data.at(-1)! : null };
  }
  upsert(entry: FileEntry): void {
    const revision = (this.files.get(entry.id)?.revision ?? 0) + 1;
    this.files.set(entry.id, { ...entry, revision });
    this.events.push({ entry: { ...entry, revision } });
  }
  remove(id: number): void {
    if (this.files.delete(id)) this.events.push({ removedId: id });
  }
}

type Step =
  | { type: "upsert"; id: number; name: string; size: number; inside: boolean; folder: boolean }
  | { type: "remove"; id: number }
  /** The client requests a page, which arrives later. */
  | { type: "request" }
  | { type: "arrive" }
  /** This many events arrive. */
  | { type: "receive"; count: number };

const names = fc.constantFrom("mix 2.wav", "mix 10.wav", "Mix 2.wav", "ärger.wav", "a.wav", "mix (2).wav", "z", "take 007.aif", "take 7.aif", "🎛.wav");
const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("upsert" as const),
      id: fc.integer({ min: 1, max: 14 }),
      name: names,
      size: fc.integer({ min: 0, max: 4 }),
      inside: fc.boolean(),
      folder: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("remove" as const), id: fc.integer({ min: 1, max: 14 }) }) },
  { weight: 3, arbitrary: fc.constant({ type: "request" as const }) },
  { weight: 3, arbitrary: fc.constant({ type: "arrive" as const }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("receive" as const), count: fc.integer({ min: 1, max: 5 }) }) },
);

test("pages and events in any order end with every entry once, in the service's order and revision", () => {
  fc.assert(
    fc.property(
      fc.array(stepArbitrary, { maxLength: 60 }),
      fc.constantFrom(...FILE_SORTS),
      fc.constantFrom("asc" as const, "desc" as const),
      (steps, sort, order) => {
        const compare = compareBy(sort, order);
        const service = new Service(compare);
        const rules: ListingRules = { compare, matches: ({ parent_id }) => parent_id === FOLDER };
        let listing: Listing | null = null;
        let cursor: FileEntry | null = null;
        let inFlight: { page: ReturnType<Service["page"]>; events: ListingEvent[] } | null = null;
        let applied = 0;
        const receive = (count: number) => {
          for (const event of service.events.slice(applied, applied + count)) {
            inFlight?.events.push(event);
            if (listing) listing = applyListingEvent(listing, event, rules)!;
          }
          applied = Math.min(service.events.length, applied + count);
        };
        const request = () => {
          if (inFlight || (listing && listing.nextCursor === null)) return;
          inFlight = { page: service.page(cursor), events: [] };
        };
        const arrive = () => {
          if (!inFlight) return;
          const { page, events } = inFlight;
          inFlight = null;
          let next = listing ? appendPage(listing, page) : toListing(page);
          // The page may lack events that arrived while it was in flight.
          for (const event of events) next = applyListingEvent(next, event, rules)!;
          listing = next;
          cursor = page.last;
        };
        for (const step of steps) {
          if (step.type === "upsert")
            service.upsert(
              buildEntry(step.id, {
                name: step.folder ? step.name.replace(".wav", "") : step.name,
                size: step.size,
                is_folder: step.folder,
                parent_id: step.inside ? FOLDER : 2,
              }),
            );
          else if (step.type === "remove") service.remove(step.id);
          else if (step.type === "request") request();
          else if (step.type === "arrive") arrive();
          else receive(step.count);
          const ids = ((listing as Listing | null)?.entries ?? []).map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
        }
        receive(Infinity);
        for (let pages = 0; pages < 30; pages += 1) {
          request();
          arrive();
        }
        expect(listing!.entries.map(({ id, revision }) => `${id}:${revision}`)).toEqual(service.inOrder().map(({ id, revision }) => `${id}:${revision}`));
        expect(listing!.nextCursor).toBeNull();
      },
    ),
    { numRuns: 400 },
  );
});

test("an entry after the loaded pages waits for its page, and an unrelated event returns the same listing", () => {
  const compare = compareBy("name", "asc");
  const rules: ListingRules = { compare, matches: ({ parent_id }) => parent_id === FOLDER };
  const listing = toListing({ data: [buildEntry(1, { name: "a" }), buildEntry(2, { name: "c" })], next_cursor: "more" });
  expect(applyListingEvent(listing, { entry: buildEntry(3, { name: "d" }) }, rules)).toBe(listing);
  expect(applyListingEvent(listing, { entry: buildEntry(3, { parent_id: 9 }) }, rules)).toBe(listing);
  expect(applyListingEvent(listing, { removedId: 99 }, rules)).toBe(listing);
  expect(applyListingEvent(listing, { entry: buildEntry(3, { name: "b" }) }, rules)!.entries.map(({ id }) => id)).toEqual([1, 3, 2]);
  // The rename moves the entry beyond the boundary, so it is removed until a later page delivers it.
  expect(applyListingEvent(listing, { entry: buildEntry(1, { name: "x", revision: 2 }) }, rules)!.entries.map(({ id }) => id)).toEqual([2]);
  // An older revision changes nothing.
  const newer = applyListingEvent(listing, { entry: buildEntry(1, { name: "a", size: 5, revision: 3 }) }, rules)!;
  expect(applyListingEvent(newer, { entry: buildEntry(1, { name: "b", revision: 2 }) }, rules)).toBe(newer);
  expect(applyListingEvent(listing, { entry: buildEntry(3) }, { compare, matches: () => undefined })).toBeNull();
});

describe("filters", () => {
  const approved = { id: 4, title: "Approved", color: 4, position: 4 };
  const mix = buildEntry(9, { name: "Über Mix 2.wav", status: approved, bpm: 127.6, tags: ["House"], account_id: 3, changed_at: "2026-11-17T22:30:00.000Z" });
  test.each<[Partial<Filter>, boolean]>([
    [{ q: "uber mix" }, true],
    [{ q: "ÜBER" }, true],
    [{ q: "mix 3" }, false],
    [{ kind: "audio" }, true],
    [{ kind: "image" }, false],
    [{ status: [4, "none"] }, true],
    [{ status: ["none"] }, false],
    [{ bpmMin: 127.6 }, true],
    [{ bpmMin: 128 }, false],
    [{ bpmMax: 130 }, true],
    [{ bpmMax: 120 }, false],
    [{ key: "A minor" }, true],
    [{ key: "C major" }, false],
    [{ tag: "House" }, true],
    [{ tag: "house" }, false],
    [{ uploader: 3 }, true],
    [{ uploader: 4 }, false],
  ])("%j matches: %s", (filter, expected) => expect(matchesFilter({ ...NO_FILTER, ...filter }, mix)).toBe(expected));

  test("an entry without a tempo matches no tempo filter, and a folder no status filter", () => {
    expect(matchesFilter({ ...NO_FILTER, bpmMax: 200 }, buildEntry(1, { bpm: 0 }))).toBe(false);
    expect(matchesFilter({ ...NO_FILTER, status: ["none"] }, buildFolder(2, 1, "Stems"))).toBe(false);
  });
  test("dates are days of the reader's time zone, both included", () => {
    const { from, to } = dateRange({ from: "2026-03-29", to: "2026-03-29" });
    expect(from).toEqual(new Date(2026, 2, 29));
    expect(to).toEqual(new Date(2026, 2, 30));
    expect(dateRange({ from: null, to: null })).toEqual({ from: null, to: null });
  });
  test("a search in a folder includes its known subfolders", () => {
    const tree = buildTree(FOLDERS);
    const searchQuery = buildListQuery({ folderId: 2, q: "file" });
    expect(matchesQuery(searchQuery, tree, buildEntry(9, { parent_id: 3 }))).toBe(true);
    expect(matchesQuery(searchQuery, tree, buildEntry(9, { parent_id: 4 }))).toBe(false);
    expect(matchesQuery(searchQuery, tree, buildEntry(9, { parent_id: 77 }))).toBeUndefined();
    expect(matchesQuery(searchQuery, undefined, buildEntry(9, { parent_id: 3 }))).toBeUndefined();
    expect(matchesQuery(buildListQuery({ folderId: 2 }), undefined, buildEntry(9, { parent_id: 3 }))).toBe(false);
  });
  test("Recent has the files of all folders, and no folders", () => {
    const tree = buildTree(FOLDERS);
    const recent = buildListQuery({ folderId: 1, isFlat: true, sort: "changed", order: "desc" });
    for (const parent_id of [1, 2, 3]) expect(matchesQuery(recent, tree, buildEntry(9, { parent_id }))).toBe(true);
    expect(matchesQuery(recent, tree, buildFolder(9, 1, "New"))).toBe(false);
    expect(matchesQuery(recent, tree, buildEntry(9, { parent_id: 77 }))).toBeUndefined();
  });
  test("only the service knows the place of an entry in the order of a metadata field, and whether a condition on one is met", () => {
    const sorted = buildListQuery({ folderId: 2, sortField: 7 });
    expect(matchesQuery(sorted, undefined, buildEntry(9, { parent_id: 2 }))).toBeUndefined();
    expect(matchesQuery(sorted, undefined, buildEntry(9, { parent_id: 3 }))).toBe(false);
    const filtered = buildListQuery({ folderId: 2, metadata: [{ field_id: 7, op: "empty" }] });
    expect(matchesQuery(filtered, buildTree(FOLDERS), buildEntry(9, { parent_id: 2 }))).toBeUndefined();
    expect(matchesQuery(filtered, buildTree(FOLDERS), buildEntry(9, { parent_id: 4 }))).toBe(false);
  });
});
