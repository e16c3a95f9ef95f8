import { expect, test } from "vitest";
import { serializeBody } from "../../sync/drafts/draft-text.ts";
import { applySuggestion, matchPeople, findTrigger, type Mentionable } from "./use-completion.ts";

test.each([
  ["@", { kind: "person", start: 0, query: "" }],
  ["hi @an", { kind: "person", start: 3, query: "an" }],
  ["(@Ana Maria L", { kind: "person", start: 1, query: "Ana Maria L" }],
  ["nice :thu", { kind: "emoji", start: 5, query: "thu" }],
  ["@Ana says :ro", { kind: "emoji", start: 10, query: "ro" }],
] as const)("%j opens suggestions", (text, trigger) => expect(findTrigger(text, text.length)).toEqual(trigger));

test.each(["ana@b", "at 1:23", "so :)", "a:bc", "<@5>", "@ home", "@ana\nx", `@${"a".repeat(60)}`, "https://a.example"])("%j opens no suggestions", (text) =>
  expect(findTrigger(text, text.length)).toBeNull(),
);

test("only text before the caret counts", () => {
  expect(findTrigger("@an is here", 3)).toMatchObject({ query: "an" });
  expect(findTrigger("@an is here", 0)).toBeNull();
});

const people = (...names: string[]): Mentionable[] => names.map((name, id) => ({ id, name, email: `p${id}@northlight.example`, avatarUrl: null }));

test("people match by the start of their names, without accents, or of their email; people with the same name stay separate", () => {
  const all = people("Ben Ana", "Ána Lee", "Ana Lee", "Joanna");
  const matchingIds = (query: string) => matchPeople(all, query, 8).map(({ id }) => id);
  expect(matchingIds("ana")).toEqual([1, 2, 0]);
  expect(matchingIds("ana l")).toEqual([1, 2]);
  expect(matchingIds("P3")).toEqual([3]);
  expect(matchPeople(all, "", 2)).toHaveLength(2);
});

test("of two people with the same name, the chosen one is mentioned", () => {
  const [first, second] = people("Ana Lee", "Ana Lee") as [Mentionable, Mentionable];
  for (const person of [first, second]) {
    const { text, mentions, caret } = applySuggestion("ask @an", 7, 4, { kind: "person", person });
    expect([text, caret]).toEqual(["ask @Ana Lee ", 13]);
    expect(serializeBody(text, mentions)).toBe(`ask <@${person.id}> `);
  }
  expect(applySuggestion("@an is", 3, 0, { kind: "person", person: first }).text).toBe("@Ana Lee is");
});

test("an emoji is inserted without a space after it", () => {
  const suggestion = { kind: "emoji", char: "👍", name: "thumbs up" } as const;
  expect(applySuggestion("nice :thu", 9, 5, suggestion)).toEqual({ text: "nice 👍", caret: 7, mentions: [] });
  expect(applySuggestion(":thu!", 4, 0, suggestion)).toEqual({ text: "👍!", caret: 2, mentions: [] });
});
