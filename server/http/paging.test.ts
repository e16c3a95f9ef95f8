/** Tests that pages are bounded in records and bytes, and that paging on returns everything once. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { jsonBytes, loadPage, toPage } from "./paging.ts";

const MAX_BYTES = 1_000;
const LENGTHS = fc.array(fc.oneof(fc.nat(20), fc.nat(3_000)), { maxLength: 300 });

test("a page ends at its limit or at its length in bytes, and is never empty while there is more", async () => {
  await fc.assert(
    fc.asyncProperty(LENGTHS, fc.integer({ min: 1, max: 120 }), async (lengths, limit) => {
      const rows = lengths.map((length, index) => ({ id: index + 1, text: "x".repeat(length) }));
      const seen: number[] = [];
      for (let after = 0, hasMore = true; hasMore;) {
        const page = await loadPage<(typeof rows)[number], string>({
          limit,
          maxBytes: MAX_BYTES,
          load: async (last, count) => rows.filter(({ id }) => id > (last?.id ?? after)).slice(0, count),
          // Some were deleted meanwhile.
          complete: async (batch) => batch.map(({ id, text }) => (id % 7 === 0 ? undefined : text)),
          present: (text) => text,
        });
        const bytes = page.views.reduce((sum, text) => sum + jsonBytes(text), 0);
        expect(page.rows.length).toBeLessThanOrEqual(limit);
        if (page.views.length > 1) expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
        if (page.hasMore) expect(page.rows.length).toBeGreaterThan(0);
        seen.push(...page.rows.map(({ id }) => id));
        after = page.rows.at(-1)?.id ?? after;
        hasMore = page.hasMore;
      }
      expect(seen).toEqual(rows.map(({ id }) => id));
    }),
  );
});

test("rows that were read at once are cut in the same way", () => {
  const rows = Array.from({ length: 201 }, (_, index) => ({ id: index, text: "\u{1F3B5}".repeat(5_000) }));
  const page = toPage(rows, 200);
  expect(jsonBytes(page.rows)).toBeLessThan(1_000_000 + 1_000);
  expect(page.next).toBe(page.rows.at(-1)?.id);
  expect(toPage(rows.slice(0, 3), 3)).toEqual({ rows: rows.slice(0, 3), next: null });
  expect(toPage(rows.slice(0, 4), 3)).toEqual({ rows: rows.slice(0, 3), next: 2 });
  const huge = { id: 9, text: "x".repeat(2_000_000) };
  expect(toPage([huge, huge], 5)).toEqual({ rows: [huge], next: 9 });
});
