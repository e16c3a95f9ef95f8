import { expect, test } from "vitest";
import { peopleFor, wantedAt } from "./completion.ts";

test.each([
  ["@", { kind: "person", start: 0, query: "" }],
  ["hi @an", { kind: "person", start: 3, query: "an" }],
  ["(@Ana Maria L", { kind: "person", start: 1, query: "Ana Maria L" }],
  ["nice :thu", { kind: "emoji", start: 5, query: "thu" }],
  ["@Ana says :ro", { kind: "emoji", start: 10, query: "ro" }],
] as const)("%j asks", (text, wanted) => expect(wantedAt(text, text.length)).toEqual(wanted));

test.each(["ana@b", "at 1:23", "so :)", "a:bc", "<@5>", "@ home", "@ana\nx", `@${"a".repeat(60)}`, "https://a.example"])("%j asks for nothing", (text) =>
  expect(wantedAt(text, text.length)).toBeNull(),
);

test("only what stands before the caret counts", () => {
  expect(wantedAt("@an is here", 3)).toMatchObject({ query: "an" });
  expect(wantedAt("@an is here", 0)).toBeNull();
});

test("people by the beginnings of their names, without accents; several of one name stay apart", () => {
  const people = ["Ben Ana", "Ána Lee", "Ana Lee", "Joanna"].map((name, id) => ({ id, name }));
  expect(peopleFor(people, "ana", 8).map(({ id }) => id)).toEqual([1, 2, 0]);
  expect(peopleFor(people, "ana l", 8).map(({ id }) => id)).toEqual([1, 2]);
  expect(peopleFor(people, "", 2)).toHaveLength(2);
});
