import { expect, test } from "vitest";
import { LIMITS } from "../../../../contract/limits.ts";
import { toSendableBody } from "./CommentTextArea.tsx";

test("text within the limit is sent without empty lines at its ends; empty and too long text is not", () => {
  expect([" \n", "\nbass  \n", ""].map(toSendableBody)).toEqual([null, "bass", null]);
  const longest = "x".repeat(LIMITS.message_characters);
  expect([toSendableBody(longest), toSendableBody(`${longest}x`)]).toEqual([longest, null]);
});
