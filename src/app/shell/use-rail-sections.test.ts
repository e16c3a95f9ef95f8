import { expect, test } from "vitest";
import type { Group, Project, Team } from "../../../contract/records.ts";
import { adjacentProject, railSections } from "./use-rail-sections.ts";

const group = (id: number, name: string, team_id = 1) => ({ id, name, team_id, description: "" }) as Group;
const project = (id: number, name: string, group_id: number | null) => ({ id, name, group_id }) as Project;
const team = (id: number, name: string) => ({ id, name }) as Team;

const groups = [group(2, "Film"), group(1, "Albums")];
const projects = [project(1, "Track 10", 1), project(2, "Track 2", 1), project(3, "Podcast", null), project(4, "Reel", 2), project(5, "Lost", 99)];

test("groups are sorted by name, projects in natural order, and ungrouped projects come last", () => {
  const sections = railSections(projects, groups, [team(1, "Studio")]);
  expect(sections.map(({ title, projects: inside }) => [title, inside.map(({ name }) => name)])).toEqual([
    ["Albums", ["Track 2", "Track 10"]],
    ["Film", ["Reel"]],
    [null, ["Lost", "Podcast"]],
  ]);
});

test("archived projects are left out, and their groups keep their headings", () => {
  const archived = { ...project(1, "Track 10", 1), archived_at: "2026-11-17T09:00:00.000Z" } as Project;
  const sections = railSections([archived, project(3, "Podcast", null)], [group(1, "Albums")], []);
  expect(sections.map(({ title, projects: inside }) => [title, inside.map(({ name }) => name)])).toEqual([
    ["Albums", []],
    [null, ["Podcast"]],
  ]);
});

test("every project appears exactly once", () => {
  const shown = railSections(projects, groups, []).flatMap((section) => section.projects.map(({ id }) => id));
  expect(shown.toSorted()).toEqual([1, 2, 3, 4, 5]);
});

test("an empty group stays visible, groups of several teams show the team name, and an empty list has no sections", () => {
  expect(railSections([], [group(1, "Albums")], [team(1, "Studio")])).toHaveLength(1);
  expect(
    railSections([], [group(1, "Albums"), group(2, "Albums", 2)], [team(1, "Berlin"), team(2, "Oslo")])
      .map(({ title }) => title)
      .toSorted(),
  ).toEqual(["Berlin · Albums", "Oslo · Albums"]);
  expect(railSections([], [], [])).toEqual([]);
});

test("adjacentProject wraps around, and starts at an end when no project is open", () => {
  const sections = railSections(projects, groups, []);
  expect(adjacentProject(sections, 2, 1)?.id).toBe(1);
  expect(adjacentProject(sections, 1, 1)?.id).toBe(4);
  expect(adjacentProject(sections, 3, 1)?.id).toBe(2);
  expect(adjacentProject(sections, 2, -1)?.id).toBe(3);
  expect(adjacentProject(sections, undefined, 1)?.id).toBe(2);
  expect(adjacentProject(sections, undefined, -1)?.id).toBe(3);
  expect(adjacentProject([], 1, 1)).toBeUndefined();
});
