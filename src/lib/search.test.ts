import { expect, test } from "vitest";
import { matchScore, searchItems } from "./search.ts";

test("search ranks name starts before word starts before other matches, ignores case and accents, and requires every token", () => {
  expect(matchScore("Nightdrive EP", "night")).toBe(3);
  expect(matchScore("Nightdrive EP", "ep")).toBe(2);
  expect(matchScore("Nightdrive EP", "drive")).toBe(1);
  expect(matchScore("Ana Kovač", "kovac")).toBe(2);
  expect(matchScore("Nightdrive EP", "ep night")).toBe(2);
  expect(matchScore("Nightdrive EP", "ep halden")).toBe(0);
  expect(matchScore("sleep ep", "ep")).toBe(2);
  expect(searchItems(["Deep", "EP one", "The EP", "LP"], "ep", (name) => name)).toEqual(["EP one", "The EP", "Deep"]);
  expect(searchItems(["b", "a"], "  ", (name) => name)).toEqual(["b", "a"]);
});
