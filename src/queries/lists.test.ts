import { expect, test } from "vitest";
import type { Group, Member, Project, ProjectMember } from "../../contract/records.ts";
import { patchById, removeById, upsertById } from "./lists.ts";

const project = (id: number, name = `P${id}`) => ({ id, name, unread_count: 0 }) as Project;
const person = (id: number, username = `A${id}`) => ({ id, username }) as ProjectMember;

test("a new project is added, a known one replaced, and the previous list is not mutated", () => {
  const before = [project(1), project(2)];
  expect(upsertById(project(3))(before)!.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(upsertById(project(2, "New"))(before)!.map(({ name }) => name)).toEqual(["P1", "New"]);
  expect(removeById(1)(before)!.map(({ id }) => id)).toEqual([2]);
  expect(before.map(({ name }) => name)).toEqual(["P1", "P2"]);
});

test("a member who is added twice is listed once", () => {
  const members = upsertById(person(2))([person(1)]);
  expect(upsertById(person(2, "Renamed"))(members)).toEqual([person(1), person(2, "Renamed")]);
  expect(removeById(1)(members)).toEqual([person(2)]);
});

test("a group from both its response and its event is listed once", () => {
  const upsert = upsertById({ id: 4, name: "Albums" } as Group);
  expect(upsert(upsert([]))).toEqual([{ id: 4, name: "Albums" }]);
});

test("a partial change of a member preserves the other fields, and unknown accounts are not added", () => {
  const members = [{ id: 7, username: "Ana", role: "guest", project_ids: [1] } as Member];
  expect(patchById({ id: 7, role: "admin" })(members)).toEqual([{ id: 7, username: "Ana", role: "admin", project_ids: [1] }]);
  expect(patchById({ id: 8, role: "admin" })(members)).toEqual(members);
});

test("lists that are not loaded stay undefined", () => {
  expect(upsertById(project(1))(undefined)).toBeUndefined();
  expect(patchById({ id: 1 })(undefined)).toBeUndefined();
  expect(removeById(1)(undefined)).toBeUndefined();
});
