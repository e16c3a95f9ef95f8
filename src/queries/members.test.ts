import { expect, test } from "vitest";
import type { Member } from "../../contract/records.ts";
import { withMember } from "./members.ts";

test("a partial change of a member preserves the other fields, and unknown accounts are not added", () => {
  const members = [{ id: 7, username: "Ana", role: "guest", project_ids: [1] } as Member];
  expect(withMember(members, { id: 7, role: "admin" })).toEqual([{ id: 7, username: "Ana", role: "admin", project_ids: [1] }]);
  expect(withMember(members, { id: 8, role: "admin" })).toEqual(members);
});

test("lists that are not loaded stay undefined", () => {
  expect(withMember(undefined, { id: 1 })).toBeUndefined();
});
