import { expect, test } from "vitest";
import { LIMITS } from "../../../../../contract/limits.ts";
import { readyBody } from "./ready.ts";

test("words that fit are sent, without empty lines at their ends; nothing and too much are not", () => {
  expect([" \n", "\nbass  \n", ""].map(readyBody)).toEqual([null, "bass", null]);
  const most = "x".repeat(LIMITS.message_characters);
  expect([readyBody(most), readyBody(`${most}x`)]).toEqual([most, null]);
});
