import { expect, test } from "vitest";
import { segmentText } from "./links.ts";
import { mayHaveLinks } from "./may-have-links.ts";

test.each([
  "see https://a.example/x",
  "www.a.example",
  "write to ana@a.example",
  "mailto:ana@a.example",
  "a.example/spec",
  "(HTTP://A.EXAMPLE)",
  "münchen.example",
])("mayHaveLinks is true for %j, which contains a link", (text) => {
  expect(segmentText(text).some((segment) => "href" in segment)).toBe(true);
  expect(mayHaveLinks(text)).toBe(true);
});

test.each(["Bass is hot at 1:23", "−2 dB at 60 Hz. Then again.", "well… ok", "48 kHz / 24 bit, 3.5 dB", ""])("mayHaveLinks is false for %j", (text) => {
  expect(mayHaveLinks(text)).toBe(false);
});
