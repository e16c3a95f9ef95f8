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

test("a cursor that comes back ends it", async () => {
  const fetchPage = vi.fn(async () => ({ data: [1], next_cursor: "same" }));
  expect(await fetchAllPages(fetchPage)).toEqual([1, 1]);
  expect(fetchPage).toHaveBeenCalledTimes(2);
});

test("a page that fails fails the list: half a list would look whole", async () => {
  await expect(fetchAllPages(async (cursor) => (cursor ? Promise.reject(new Error("no")) : { data: [1], next_cursor: "b" }))).rejects.toThrow("no");
});
