import { expect, test } from "vitest";
import { excerptAround } from "./excerpt.ts";

test("a short text stays whole, in one line", () => expect(excerptAround("one\ntwo   three ", "two")).toBe("one two three"));

test("marks of formatting are left out", () =>
  expect(excerptAround("> quoted\n**Print list**, *please read*:\n- `mix_v5.wav`\n- 2 * 3 * 4", "mix")).toBe(
    "quoted Print list, please read: mix_v5.wav 2 * 3 * 4",
  ));

test("a long text is cut before a word and after 240 characters, around the first match", () => {
  const text = `${"before ".repeat(100)}match ${"after ".repeat(100)}`;
  const excerpt = excerptAround(text, "match");
  expect(excerpt).toMatch(/^…(before ){8}match (after )+.*…$/);
  expect(excerpt.length).toBe(242);
});

test("the excerpt is where most different words are, and of such places where they are closest", () => {
  const filler = "other ".repeat(80);
  const text = `peak ${filler}true true ${filler}peak and more of it is true ${filler}the true peak level ${filler}true peak again`;
  expect(excerptAround(text, "true peak")).toContain("the true peak level");
  expect(excerptAround(text, "peak")).toMatch(/^peak other/);
});

test("without a match, or with one at the beginning, the text begins where it does", () => {
  const text = `match ${"after ".repeat(100)}`;
  expect(excerptAround(text, "match").startsWith("match after")).toBe(true);
  expect(excerptAround(text, "absent").startsWith("match after")).toBe(true);
});

test("neither end splits an emoji", () => {
  for (let offset = 0; offset < 4; offset += 1) {
    const excerpt = excerptAround(`${"x".repeat(offset)}${"🎵".repeat(200)} match ${"🎵".repeat(200)}`, "match");
    expect(excerpt.isWellFormed(), String(offset)).toBe(true);
  }
});

test("a match after 10,000 characters is not looked for", () =>
  expect(excerptAround(`${"word ".repeat(3_000)}match`, "match").startsWith("word word")).toBe(true));
