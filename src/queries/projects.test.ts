import { expect, test } from "vitest";
import type { Group, Project, ProjectMember } from "../../contract/records.ts";
import { upsertById, withoutProject, withoutProjectMember, withProject, withProjectMember } from "./projects.ts";

const project = (id: number, name = `P${id}`) => ({ id, name, unread_count: 0 }) as Project;
const person = (id: number, username = `A${id}`) => ({ id, username }) as ProjectMember;

test("a new project is added, a known one replaced, and the previous list is not mutated", () => {
  const before = [project(1), project(2)];
  expect(withProject(before, project(3))!.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(withProject(before, project(2, "New"))!.map(({ name }) => name)).toEqual(["P1", "New"]);
  expect(withoutProject(before, 1)!.map(({ id }) => id)).toEqual([2]);
  expect(before.map(({ name }) => name)).toEqual(["P1", "P2"]);
});

test("a member who is added twice is listed once", () => {
  const members = withProjectMember([person(1)], person(2));
  expect(withProjectMember(members, person(2, "Renamed"))).toEqual([person(1), person(2, "Renamed")]);
  expect(withoutProjectMember(members, 1)).toEqual([person(2)]);
});

test("a group from both its response and its event is listed once", () => {
  const group = { id: 4, name: "Albums" } as Group;
  expect(upsertById(upsertById([], group), group)).toEqual([group]);
});

test("lists that are not loaded stay undefined", () => {
  expect(upsertById(undefined, { id: 1 } as Group)).toBeUndefined();
  expect(withProject(undefined, project(1))).toBeUndefined();
  expect(withProjectMember(undefined, person(1))).toBeUndefined();
  expect(withoutProject(undefined, 1)).toBeUndefined();
});
