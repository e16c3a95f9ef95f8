import { expect, test } from "vitest";
import { pollInterval } from "./file-list-queries.ts";

test("without the live channel a listing is asked for again, a long one more seldom", () => {
  expect([pollInterval(true), pollInterval(true, 10_000)]).toEqual([false, false]);
  expect([pollInterval(false), pollInterval(false, 100), pollInterval(false, 10_000)]).toEqual([15_000, 15_000, 300_000]);
});
