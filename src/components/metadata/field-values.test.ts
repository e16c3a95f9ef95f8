import { expect, test } from "vitest";
import { formatFieldValue, parseFieldText } from "./field-values.ts";

const OPTIONS = [{ id: "a1", name: "Radio" }];
const field = (type: Parameters<typeof parseFieldText>[0]["type"]) => ({ type, options: OPTIONS });

test.each([
  ["text", "  Lina & Co ", "Lina & Co"],
  ["text", "   ", null],
  ["number", "2,5", 2.5],
  ["number", "-3", -3],
  ["number", "", null],
  ["isrc", "gb abc 26 00002", "GB-ABC-26-00002"],
  ["date", "2026-12-04", "2026-12-04"],
] as const)("%s %j is read as %j", (type, text, value) => {
  expect(parseFieldText(field(type), text)).toEqual({ value });
});

test.each([
  ["number", "two", "Enter a number."],
  ["number", "1,000,000", "Enter a number."],
  ["isrc", "GB-ABC", "Enter an ISRC: 12 characters, such as GB-ABC-26-00001."],
  ["date", "2026-02-30", "Enter a day that exists."],
  ["text", "x".repeat(2_001), "Enter at most 2000 characters."],
] as const)("%s %j is refused", (type, text, issue) => {
  expect(parseFieldText(field(type), text)).toEqual({ issue: expect.stringMatching(issue.replace("2000", "2,?000")) });
});

test.each([
  ["choice", "a1", "Radio"],
  ["choice", "gone", null],
  ["person", 7, "Mia"],
  ["person", 8, "Former member"],
  ["checkbox", true, "Yes"],
  ["number", 1_200.5, "1,200.5"],
  ["text", "warm", "warm"],
  ["text", undefined, null],
] as const)("%s %j is shown as %j", (type, value, text) => {
  expect(formatFieldValue(field(type), value, (id) => (id === 7 ? "Mia" : undefined))).toBe(text);
});
