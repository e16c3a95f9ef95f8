import { expect, test } from "vitest";
import { selectDrawable, type Brush } from "./drawable.ts";

const EMOJI = [
  { char: "😀", version: 1 },
  { char: "👩‍🚀", version: 4 },
  { char: "🇩🇪", version: 0.6 },
  { char: "👍", version: 0.6 },
  { char: "😮‍💨", version: 13.1 },
  { char: "🫨", version: 15 },
  { char: "🐦‍🔥", version: 15.1 },
  { char: "🫩", version: 16 },
];

/** A font that draws these texts in color, and sequences with these in one glyph. */
const createFont = (colored: readonly string[], joined: readonly string[]): Brush => ({
  isColored: (text) => colored.includes(text),
  measure: (text) => (text.includes("\u200D") && !joined.includes(text) ? 20 : 10),
});
const drawable = (brush: Brush | null) => selectDrawable(EMOJI, brush).map(({ char }) => char);

test("a font with everything draws everything", () => {
  const chars = EMOJI.map(({ char }) => char);
  expect(drawable(createFont([...chars, "🇪🇺"], chars))).toEqual(chars);
});

test("newer versions than the font's, flags without glyphs and sequences drawn in parts are left out", () => {
  expect(drawable(createFont(["😀", "👍", "🫨"], ["👩‍🚀"]))).toEqual(["😀", "👩‍🚀", "👍", "🫨"]);
});

test("without a color font, or without a canvas, everything is offered", () => {
  expect(drawable(createFont([], []))).toHaveLength(EMOJI.length);
  expect(drawable(null)).toHaveLength(EMOJI.length);
});
