import { expect, test } from "vitest";
import { isRanked, rankByName } from "./ranking.ts";

const match = (id: number, name: string, project_id = 1) => ({ id, name, project_id });
const order = (query: string, near: number | null, ...matches: ReturnType<typeof match>[]) => rankByName(matches, query, near).map(({ id }) => id);

test("names that are what was searched for come first, then those that begin with it, then the newest", () => {
  const names = [match(5, "The kick"), match(4, "Kick loud"), match(3, "kick.wav"), match(2, "KICK"), match(1, "Kick 2.wav")];
  expect(order("kick", null, ...names)).toEqual([3, 2, 4, 1, 5]);
  expect(order("Kick loud ", null, ...names)[0]).toBe(4);
});

test("case, accents and signs between words do not matter, also in scripts without spaces", () => {
  expect(order("uberflug kick", null, match(2, "Kick uberflug"), match(1, "Überflug_Kick.wav"))).toEqual([1, 2]);
  expect(order("日本", null, match(2, "の日本"), match(1, "日本語"))).toEqual([1, 2]);
});

test("records of the near project come first among names that match equally well", () => {
  const names = [match(4, "Mix 4", 1), match(3, "Mix 3", 2), match(2, "Mix", 1), match(1, "Old mix", 2)];
  expect(order("mix", 2, ...names)).toEqual([2, 3, 4, 1]);
});

test("positions descend without a near project, and differ from ids", () => {
  const positions = rankByName([match(9, "b a"), match(8, "a"), match(7, "a b")], "a", null).map(({ position }) => position);
  expect(positions).toEqual(positions.toSorted((a, b) => b - a));
  expect(positions.every(isRanked) && positions.every(Number.isSafeInteger)).toBe(true);
  expect(isRanked(2 ** 40)).toBe(false);
});
