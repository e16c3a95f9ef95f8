import { expect, test, vi } from "vitest";
import { fetchAllPages } from "./pages.ts";

test("reads every page in order", async () => {
  const pages: Record<string, { data: number[]; next_cursor: string | null }> = {
    "": { data: [1, 2], next_cursor: "b" },
    b: { data: [3], next_cursor: "c" },
    c: { data: [], next_cursor: null },
  };
  expect(await fetchAllPages(async (cursor) => pages[cursor ?? ""]!)).toEqual([1, 2, 3]);
});

test("paging stops when a cursor repeats", async () => {
  const fetchPage = vi.fn(async () => ({ data: [1], next_cursor: "same" }));
  expect(await fetchAllPages(fetchPage)).toEqual([1, 1]);
  expect(fetchPage).toHaveBeenCalledTimes(2);
});

test("an error on one page rejects the whole list", async () => {
  await expect(fetchAllPages(async (cursor) => (cursor ? Promise.reject(new Error("no")) : { data: [1], next_cursor: "b" }))).rejects.toThrow("no");
});
