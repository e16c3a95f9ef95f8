import { expect, test } from "vitest";
import { LIMITS } from "../../../../contract/limits.ts";
import { computeSendState } from "./sendable.ts";

const draft = (text: string) => ({ text, named: [] });

test("words can be sent, blanks cannot", () => {
  expect(computeSendState(draft("hello"), [])).toEqual({ body: "hello", ready: true, remainingCharacters: null, tooLong: false, filesHint: null });
  expect(computeSendState(draft(" \n "), [])).toMatchObject({ body: "", ready: false });
});

test("a name counts as it is sent: short where the name is long", () => {
  const name = "x".repeat(LIMITS.message_characters);
  const named = [{ start: 0, end: name.length, accountId: 5 }];
  expect(computeSendState({ text: name, named }, [])).toMatchObject({ body: "<@5>", ready: true, tooLong: false });
});

test("one character too many holds it back and says so", () => {
  expect(computeSendState(draft("x".repeat(LIMITS.message_characters)), [])).toMatchObject({ ready: true, remainingCharacters: 0, tooLong: false });
  expect(computeSendState(draft("x".repeat(LIMITS.message_characters + 1)), [])).toMatchObject({ ready: false, remainingCharacters: -1, tooLong: true });
});
