import fc from "fast-check";
import { expect, test } from "vitest";
import { parseRange } from "../../http/send-bytes.ts";

test("no Range header yields a range outside the file", () => {
  const part = fc.oneof(fc.nat().map(String), fc.constantFrom("", "0", "-1", "99999999999999999999", "1e3", " "));
  const header = fc.oneof(
    fc.string(),
    fc.tuple(part, part).map(([first, last]) => `bytes=${first}-${last}`),
  );
  fc.assert(
    fc.property(fc.option(header, { nil: undefined }), fc.nat(), (text, size) => {
      const range = parseRange(text, size);
      if (range === null || range === "unsatisfiable") return;
      expect(range.start).toBeGreaterThanOrEqual(0);
      expect(range.end).toBeGreaterThanOrEqual(range.start);
      expect(range.end).toBeLessThan(size);
    }),
    { numRuns: 2_000 },
  );
});
