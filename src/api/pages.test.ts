import { expect, test, vi } from "vitest";
import { everyPage } from "./pages.ts";

test("reads every page in order", async () => {
  const pages: Record<string, { data: number[]; next_cursor: string | null }> = {
    "": { data: [1, 2], next_cursor: "b" },
    b: { data: [3], next_cursor: "c" },
    c: { data: [], next_cursor: null },
  };
  expect(await everyPage(async (cursor) => pages[cursor ?? ""]!)).toEqual([1, 2, 3]);
});

test("a cursor that comes back ends it", async () => {
  const read = vi.fn(async () => ({ data: [1], next_cursor: "same" }));
  expect(await everyPage(read)).toEqual([1, 1]);
  expect(read).toHaveBeenCalledTimes(2);
});

test("a page that fails fails the list: half a list would look whole", async () => {
  await expect(everyPage(async (cursor) => (cursor ? Promise.reject(new Error("no")) : { data: [1], next_cursor: "b" }))).rejects.toThrow("no");
});
