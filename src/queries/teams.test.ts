import { expect, test } from "vitest";
import type { Group } from "../../contract/records.ts";
import { withGroup } from "./teams.ts";

test("a group from both its response and its event is listed once", () => {
  const group = { id: 4, name: "Albums" } as Group;
  expect(withGroup(withGroup([], group), group)).toEqual([group]);
});

test("a list that is not loaded stays undefined", () => {
  expect(withGroup(undefined, { id: 1 } as Group)).toBeUndefined();
});
