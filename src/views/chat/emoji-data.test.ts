import { expect, test } from "vitest";
import { EMOJI, findEmoji } from "./emoji-data.ts";

test("every entry is a single emoji with a plain name, without duplicates", () => {
  expect(EMOJI.filter(({ char }) => !/^\p{RGI_Emoji}$/v.test(char))).toEqual([]);
  expect(EMOJI.filter(({ name }) => !/^[a-z][a-z' -]*$/.test(name))).toEqual([]);
  const chars = EMOJI.map(({ char }) => char);
  expect(chars.filter((char, index) => chars.indexOf(char) !== index)).toEqual([]);
  expect(EMOJI.length).toBeGreaterThan(350);
});

test("emoji names are unique", () => {
  const names = EMOJI.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test("search matches the start of keywords, also as a shortcode after a colon", () => {
  expect(findEmoji("thumbs_up", 3)[0]?.char).toBe("👍");
  expect(findEmoji(":tada", 3).map(({ char }) => char)).toContain("🎉");
  expect(findEmoji("HEADPH", 3)[0]?.char).toBe("🎧");
  expect(findEmoji("+1", 1)[0]?.char).toBe("👍");
  expect(findEmoji("heart", 5)).toHaveLength(5);
  expect(findEmoji("no such thing", 5)).toEqual([]);
});
