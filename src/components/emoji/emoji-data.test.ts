import data from "emojibase-data/en/data.json" with { type: "json" };
import shortcodes from "emojibase-data/en/shortcodes/iamcal.json" with { type: "json" };
import { expect, test } from "vitest";
import { addReaction } from "../../../contract/operations/messages.ts";
import { type Brush, findEmoji, parseEmoji, selectDrawable } from "./emoji-data.ts";

const EMOJI = parseEmoji({ emoji: data, shortcodes });
const find = (query: string, limit = 1) => findEmoji(EMOJI, query, limit).map(({ char }) => char);

test("the service accepts every emoji in every skin tone as a reaction, and each is offered once", () => {
  const chars = EMOJI.flatMap(({ char, tones }) => [char, ...tones]);
  const emojiParam = addReaction.params.shape.emoji;
  expect(chars.filter((char) => !emojiParam.safeParse(char).success)).toEqual([]);
  expect(new Set(chars).size).toBe(chars.length);
  expect(EMOJI.length).toBeGreaterThan(1_900);
});

test("names are unique, and skin tones run from light to dark", () => {
  expect(new Set(EMOJI.map(({ name }) => name)).size).toBe(EMOJI.length);
  expect(EMOJI.find(({ name }) => name === "thumbs up")?.tones).toEqual(["👍🏻", "👍🏼", "👍🏽", "👍🏾", "👍🏿"]);
  expect(EMOJI.find(({ name }) => name === "people holding hands")?.tones[0]).toBe("🧑🏻‍🤝‍🧑🏻");
  expect(EMOJI.filter(({ tones }) => tones.length !== 0 && tones.length !== 5)).toEqual([]);
  expect(EMOJI.find(({ name }) => name === "rocket")?.tones).toEqual([]);
});

test.each([
  ["thumbs_up", "👍"],
  ["+1", "👍"],
  ["-1", "👎"],
  [":tada", "🎉"],
  ["party popper", "🎉"],
  ["HEADPH", "🎧"],
  ["rocket", "🚀"],
  ["ok", "🆗"],
  ["fire", "🔥"],
  ["heart", "❤️"],
  ["red heart", "❤️"],
  ["heart red", "❤️"],
  ["white_check_mark", "✅"],
  ["raised_hands", "🙌"],
  ["flag-de", "🇩🇪"],
  ["germany", "🇩🇪"],
  ["loudspeaker", "📢"],
])("%j finds %s first", (query, char) => expect(find(query)).toEqual([char]));

test("a query finds keywords, respects the limit, and finds nothing else", () => {
  expect(find("lol", 20)).toContain("😂");
  expect(find("heart", 5)).toHaveLength(5);
  expect(find("no such thing", 5)).toEqual([]);
});

test("every emoji that an earlier version of the picker offered is still offered, so that the recent ones stay", () => {
  const earlier = "😀 🙂 😮‍💨 👍 🫰 ❤️ ❣️ ✔️ ☑️ ♾️ ‼️ ⁉️ ⚠️ ⏸️ ⏺️ ⬆️ ↩️ 🔟 #️⃣ 0️⃣ 🗯️ 🎚️ 🎛️ 🎙️ 🏳️‍🌈 ✌️ ☕ 🏠";
  const chars = new Set(EMOJI.map(({ char }) => char));
  expect(earlier.split(" ").filter((char) => !chars.has(char))).toEqual([]);
});

const SAMPLES = [
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
const drawable = (brush: Brush | null) => selectDrawable(SAMPLES, brush).map(({ char }) => char);

test("a font with everything draws everything", () => {
  const chars = SAMPLES.map(({ char }) => char);
  expect(drawable(createFont([...chars, "🇪🇺"], chars))).toEqual(chars);
});

test("newer versions than the font's, flags without glyphs and sequences drawn in parts are left out", () => {
  expect(drawable(createFont(["😀", "👍", "🫨"], ["👩‍🚀"]))).toEqual(["😀", "👩‍🚀", "👍", "🫨"]);
});

test("without a color font, or without a canvas, everything is offered", () => {
  expect(drawable(createFont([], []))).toHaveLength(SAMPLES.length);
  expect(drawable(null)).toHaveLength(SAMPLES.length);
});
