import { expect, test } from "vitest";
import { findTakenOptions } from "./option-drafts.ts";

const taken = (...names: string[]) => [...findTakenOptions(names.map((name, key) => ({ key, name })))];

test("an option is taken if an earlier one has its name, whatever the case and the spaces around it", () => {
  expect(taken("Album", "Radio", " album ", "RADIO", "Live")).toEqual([2, 3]);
});

test("options without a name are not compared, because they are left out", () => {
  expect(taken("", "  ", "Album")).toEqual([]);
});
