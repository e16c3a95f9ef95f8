import { expect, test, vi } from "vitest";
import { createIdempotencyKeys, fetchAllPages } from "./operations.ts";

test("a repeated body reuses its key, and a changed body gets a new one, even when it changes back", () => {
  let count = 0;
  const idempotencyKeyFor = createIdempotencyKeys(() => `key-${++count}`);
  const keys = [{ name: "A" }, { name: "A" }, { name: "B" }, { name: "A" }].map((body) => idempotencyKeyFor(body));
  expect(keys).toEqual(["key-1", "key-1", "key-2", "key-3"]);
});

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
