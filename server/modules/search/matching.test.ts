import { expect, test } from "vitest";
import { findStatuses } from "./matching.ts";

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
