import data from "emojibase-data/en/data.json" with { type: "json" };
import shortcodes from "emojibase-data/en/shortcodes/iamcal.json" with { type: "json" };
import { expect, test } from "vitest";
import { addReaction } from "../../../../contract/operations/messages.ts";
import { findEmoji, parseEmoji } from "./emoji-data.ts";

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
