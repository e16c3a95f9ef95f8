import { expect, test } from "vitest";
import { LIMITS } from "../../../../contract/limits.ts";
import { toSendableBody } from "./CommentTextArea.tsx";

test("words that fit are sent, without empty lines at their ends; nothing and too much are not", () => {
  expect([" \n", "\nbass  \n", ""].map(toSendableBody)).toEqual([null, "bass", null]);
  const longest = "x".repeat(LIMITS.message_characters);
  expect([toSendableBody(longest), toSendableBody(`${longest}x`)]).toEqual([longest, null]);
});
