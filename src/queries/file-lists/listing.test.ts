import fc from "fast-check";
import { expect, test } from "vitest";
import { FILE_SORTS } from "../../../contract/file-order.ts";
import type { FileEntry } from "../../../contract/file-records.ts";
import { entryOf } from "./entry.fixture.ts";
import { appendPage, toListing, withNews, type Listing, type News, type Place } from "./listing.ts";
import { compareBy } from "./order.ts";

const PAGE = 3;
const FOLDER = 1;

/** A service with one folder and one outside it: keyset pages, and an event for each change. */
class Service {
  files = new Map<number, FileEntry>();
  events: News[] = [];
  readonly compare: Place["compare"];
  constructor(compare: Place["compare"]) {
    this.compare = compare;
  }
  inOrder(): FileEntry[] {
    return [...this.files.values()].filter(({ parent_id }) => parent_id === FOLDER).toSorted(this.compare);
  }
  page(after: FileEntry | null): { data: FileEntry[]; next_cursor: string | null; last: FileEntry | null } {
    const rest = this.inOrder().filter((entry) => after === null || this.compare(entry, after) > 0);
    const data = rest.slice(0, PAGE);
    const isMore = rest.length > PAGE;
    return { data, next_cursor: isMore ? "more" : null, last: isMore ? data.at(-1)! : null };
  }
  put(entry: FileEntry): void {
    const revision = (this.files.get(entry.id)?.revision ?? 0) + 1;
    this.files.set(entry.id, { ...entry, revision });
    this.events.push({ entry: { ...entry, revision } });
  }
  remove(id: number): void {
    if (this.files.delete(id)) this.events.push({ gone: id });
  }
}

type Step =
  | { do: "put"; id: number; name: string; size: number; inside: boolean; folder: boolean }
  | { do: "remove"; id: number }
  /** The client asks for a page; it arrives later. */
  | { do: "ask" }
  | { do: "arrive" }
  /** So many events arrive. */
  | { do: "hear"; count: number };

const names = fc.constantFrom("mix 2.wav", "mix 10.wav", "Mix 2.wav", "ärger.wav", "a.wav", "mix (2).wav", "z", "take 007.aif", "take 7.aif", "🎛.wav");
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("put" as const),
      id: fc.integer({ min: 1, max: 14 }),
      name: names,
      size: fc.integer({ min: 0, max: 4 }),
      inside: fc.boolean(),
      folder: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), id: fc.integer({ min: 1, max: 14 }) }) },
  { weight: 3, arbitrary: fc.constant({ do: "ask" as const }) },
  { weight: 3, arbitrary: fc.constant({ do: "arrive" as const }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("hear" as const), count: fc.integer({ min: 1, max: 5 }) }) },
);

test("pages and events in any interleaving: every entry once, in the service's order, as new as the service has it", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.constantFrom(...FILE_SORTS), fc.constantFrom("asc" as const, "desc" as const), (steps, sort, order) => {
      const compare = compareBy(sort, order);
      const service = new Service(compare);
      const place: Place = { compare, fits: ({ parent_id }) => parent_id === FOLDER };
      let listing: Listing | null = null;
      let cursor: FileEntry | null = null;
      let asked: { page: ReturnType<Service["page"]>; heard: News[] } | null = null;
      let applied = 0;
      const hear = (count: number) => {
        for (const news of service.events.slice(applied, applied + count)) {
          asked?.heard.push(news);
          if (listing) listing = withNews(listing, news, place)!;
        }
        applied = Math.min(service.events.length, applied + count);
      };
      const ask = () => {
        if (asked || (listing && listing.next === null)) return;
        asked = { page: service.page(cursor), heard: [] };
      };
      const arrive = () => {
        if (!asked) return;
        const { page, heard } = asked;
        asked = null;
        let grown = listing ? appendPage(listing, page) : toListing(page);
        // What was told while the page was on its way may be missing in it.
        for (const news of heard) grown = withNews(grown, news, place)!;
        listing = grown;
        cursor = page.last;
      };
      for (const one of steps) {
        if (one.do === "put")
          service.put(
            entryOf(one.id, {
              name: one.folder ? one.name.replace(".wav", "") : one.name,
              size: one.size,
              is_folder: one.folder,
              parent_id: one.inside ? FOLDER : 2,
            }),
          );
        else if (one.do === "remove") service.remove(one.id);
        else if (one.do === "ask") ask();
        else if (one.do === "arrive") arrive();
        else hear(one.count);
        const ids = ((listing as Listing | null)?.entries ?? []).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
      }
      hear(Infinity);
      for (let pages = 0; pages < 30; pages += 1) {
        ask();
        arrive();
      }
      expect(listing!.entries.map(({ id, revision }) => `${id}:${revision}`)).toEqual(service.inOrder().map(({ id, revision }) => `${id}:${revision}`));
      expect(listing!.next).toBeNull();
    }),
    { numRuns: 400 },
  );
});

test("what is not reached yet comes with its page, and a listing that is not concerned stays the same object", () => {
  const compare = compareBy("name", "asc");
  const place: Place = { compare, fits: ({ parent_id }) => parent_id === FOLDER };
  const listing = toListing({ data: [entryOf(1, { name: "a" }), entryOf(2, { name: "c" })], next_cursor: "more" });
  expect(withNews(listing, { entry: entryOf(3, { name: "d" }) }, place)).toBe(listing);
  expect(withNews(listing, { entry: entryOf(3, { parent_id: 9 }) }, place)).toBe(listing);
  expect(withNews(listing, { gone: 99 }, place)).toBe(listing);
  expect(withNews(listing, { entry: entryOf(3, { name: "b" }) }, place)!.entries.map(({ id }) => id)).toEqual([1, 3, 2]);
  // Renamed to behind the edge: gone until the page that has it.
  expect(withNews(listing, { entry: entryOf(1, { name: "x", revision: 2 }) }, place)!.entries.map(({ id }) => id)).toEqual([2]);
  // An older word than what is known changes nothing.
  const newer = withNews(listing, { entry: entryOf(1, { name: "a", size: 5, revision: 3 }) }, place)!;
  expect(withNews(newer, { entry: entryOf(1, { name: "b", revision: 2 }) }, place)).toBe(newer);
  expect(withNews(listing, { entry: entryOf(3) }, { compare, fits: () => undefined })).toBeNull();
});
