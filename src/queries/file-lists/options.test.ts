import { expect, test } from "vitest";
import { lookAgain } from "./options.ts";

test("without the live channel a listing is asked for again, a long one more seldom", () => {
  expect([lookAgain(true), lookAgain(true, 10_000)]).toEqual([false, false]);
  expect([lookAgain(false), lookAgain(false, 100), lookAgain(false, 10_000)]).toEqual([15_000, 15_000, 300_000]);
});
