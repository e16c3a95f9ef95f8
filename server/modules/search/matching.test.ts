import { expect, test } from "vitest";
import { findStatuses, projectFilter } from "./matching.ts";

const status = (id: number, title: string, replaced_by: number | null = null) => ({ id, title, deleted_at: replaced_by === null ? null : 1, replaced_by });
const STATUSES = [status(1, "In review"), status(2, "Approved"), status(3, "Reviewed twice", 4), status(4, "Sent out", 2), status(5, "Gone", 9)];

test.each([
  ["review", false, [1]],
  ["rev", true, [1]],
  ["rev", false, []],
  // Two were deleted, one after the other.
  ["approved", false, [2, 3, 4]],
  ["sent", false, []],
  // Its replacement is not among the organization's statuses.
  ["gone", false, [5]],
])("%s (prefix: %s) is the title of %j", (token, isPrefix, expected) => expect(findStatuses(STATUSES, { token, isPrefix })).toEqual(expected));

test("the index narrows a search to few projects, and to some more while records cannot be skipped", () => {
  const filter = (count: number, isSkipping: boolean) =>
    projectFilter(
      Array.from({ length: count }, (_, index) => index + 1),
      isSkipping,
    )?.length;
  expect([filter(32, true), filter(33, true), filter(33, false), filter(100, false), filter(101, false)]).toEqual([32, undefined, 33, 100, undefined]);
  expect(projectFilter([7, 12], false)).toEqual(["_p7", "_p12"]);
});
