import { expect, test } from "vitest";
import { GAP, layOutPages, MAX_PAGES, pageAt, pagesNear, pixelRatioFor, ratioOf, topOf } from "./page-layout.ts";

test("pages follow each other with gaps, each with its own ratio", () => {
  const layout = layOutPages(3, 1.5, new Map([[2, 0.5]]), 100);
  expect([...layout.tops]).toEqual([GAP, 2 * GAP + 150, 3 * GAP + 200, 4 * GAP + 350]);
  expect(layout.sizeOf(2)).toEqual({ width: 100, height: 50 });
});

test("a page of extreme height is drawn narrower, in its own ratio", () => {
  const { width, height } = layOutPages(1, 20, new Map(), 100).sizeOf(1);
  expect([height / width, height]).toEqual([20, 500]);
  expect(ratioOf({ width: 0, height: 10 })).toBe(1);
});

test("a position is on the page above the gap, also at the ends", () => {
  const layout = layOutPages(MAX_PAGES, 1.4, new Map(), 100);
  for (const page of [1, 2, 777, MAX_PAGES]) {
    expect(pageAt(layout, topOf(layout, page))).toBe(page);
    expect(pageAt(layout, topOf(layout, page) + 140 + GAP - 1)).toBe(page);
  }
  expect([pageAt(layout, -50), pageAt(layout, 1e9)]).toEqual([1, MAX_PAGES]);
});

test("only pages in view and beside it are near, however many there are", () => {
  const layout = layOutPages(1_000, 1.4, new Map(), 100);
  expect(pagesNear(layout, topOf(layout, 500), 310)).toEqual([499, 500, 501, 502, 503]);
  expect(pagesNear(layout, 0, 100)).toEqual([1, 2]);
  expect(pagesNear(layout, 1e9, 100)).toEqual([999, 1_000]);
});

test("a canvas is as sharp as the screen, unless it would get too large", () => {
  expect(pixelRatioFor({ width: 800, height: 1_100 }, 2)).toBe(2);
  const ratio = pixelRatioFor({ width: 3_000, height: 4_200 }, 3);
  expect(3_000 * ratio * 4_200 * ratio).toBeLessThanOrEqual(2 ** 23 + 1);
  expect(pixelRatioFor({ width: 20, height: 16_384 }, 1)).toBe(0.5);
});
