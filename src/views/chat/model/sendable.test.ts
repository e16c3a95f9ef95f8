import { expect, test } from "vitest";
import { LIMITS } from "../../../../contract/limits.ts";
import { sendableOf } from "./sendable.ts";

const draft = (text: string) => ({ text, named: [] });

test("words can be sent, blanks cannot", () => {
  expect(sendableOf(draft("hello"), [])).toEqual({ body: "hello", ready: true, left: null, tooLong: false, filesHint: null });
  expect(sendableOf(draft(" \n "), [])).toMatchObject({ body: "", ready: false });
});

test("a name counts as it is sent: short where the name is long", () => {
  const name = "x".repeat(LIMITS.message_characters);
  const named = [{ start: 0, end: name.length, accountId: 5 }];
  expect(sendableOf({ text: name, named }, [])).toMatchObject({ body: "<@5>", ready: true, tooLong: false });
});

test("one character too many holds it back and says so", () => {
  expect(sendableOf(draft("x".repeat(LIMITS.message_characters)), [])).toMatchObject({ ready: true, left: 0, tooLong: false });
  expect(sendableOf(draft("x".repeat(LIMITS.message_characters + 1)), [])).toMatchObject({ ready: false, left: -1, tooLong: true });
});
