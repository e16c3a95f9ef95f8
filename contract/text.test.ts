import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { cleanName, day, email, idInPath, line, login, newPassword, secret, text, username } from "./text.ts";

const accepts = (schema: z.ZodMiniType, value: unknown): boolean => z.safeParse(schema, value).success;

describe("text that a database engine would change", () => {
  const schemas = Object.entries({ text: text(100), line: line(100), email, newPassword, secret, login, username });
  const hostile = ["\0", "\ud800", "\udc00", "\udc00\ud800", "\u0007"];
  it.each(schemas)("is rejected by %s", (name, schema) => {
    for (const character of hostile)
      expect(accepts(schema, name === "email" ? `a${character}@b.test` : `long enough ${character} to be a password`), JSON.stringify(character)).toBe(false);
  });
});

it("text is returned unchanged or rejected, never repaired", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (value) => {
      const result = z.safeParse(text(50), value);
      if (result.success) {
        expect(result.data).toBe(value);
        expect(value.isWellFormed() && [...value].length <= 50).toBe(true);
      }
    }),
  );
});

it("lengths count characters, not UTF-16 code units", () => {
  expect(accepts(text(3), "🎧🎧🎧")).toBe(true);
  expect(accepts(text(3), "🎧🎧🎧x")).toBe(false);
});

it.each(["", " ", "\t", "two\nlines", "\u2028", "nel\u0085", "\u202eevil", "zero\u200bwidth", "\ufeffbom"])("rejects %j as a name", (value) =>
  expect(accepts(line(60), value)).toBe(false),
);
it.each(["Zoë", "李小龍", "👩‍🎤", "نام‌ها", "O'Brien <3"])("accepts %j as a name", (value) => expect(accepts(line(60), value)).toBe(true));
describe("invisible characters", () => {
  const ignorable = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /\p{Default_Ignorable_Code_Point}/u.test(character));
  // Soft hyphen, grapheme joiner, Hangul fillers, Khmer vowels, Mongolian separator, a tag, Braille blank and a musical blank, also as numbers here.
  const known = [0xad, 0x34f, 0x61c, 0x115f, 0x3164, 0xffa0, 0x17b4, 0x180e, 0x200c, 0x200d, 0x200e, 0xfe0f, 0xe0041, 0x2800, 0x1d159, 0xfffa];

  it("are refused in names, wherever they stand", () => {
    expect(ignorable.length).toBeGreaterThan(4_000);
    const accepted = [...ignorable, ...known.map((code) => String.fromCodePoint(code))].filter(
      (character) =>
        [`owner${character}`, `${character}owner`, `ow${character}ner`].some((name) => accepts(line(60), name)) || accepts(username, `a${character}b`),
    );
    expect(accepted.map((character) => character.codePointAt(0)?.toString(16))).toEqual([]);
  });
  it("are removed from a name before it is sent, and nothing that people see is", () => {
    expect(ignorable.map((character) => cleanName(`ow${character}ner${character}`)).filter((name) => name !== "owner")).toEqual([]);
    const copied = ["mix\u00ad final.wav", "\u200e2026\u200f mix.wav ", "a\u200b\ufeffb", "❤️\u00ad mix", "👩\u00ad‍🎤", "\u00ad", "cafe\u0301"];
    expect(copied.map((name) => cleanName(name))).toEqual(["mix final.wav", "2026 mix.wav", "ab", "❤️ mix", "👩🎤", "", "cafe\u0301"]);
    expect(["❤️ mix", "نام‌ها"].map((name) => cleanName(name, "nowhere"))).toEqual(["❤ mix", "نامها"]);
    const character = fc.oneof(
      fc.constantFrom(...ignorable, ...known.map((code) => String.fromCodePoint(code)), "👩", "🎤", "ن", "ا", "क", "1", "⃣", "葛", "a", " "),
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 12 }), (characters) => {
        const name = characters.join("");
        const cleaned = cleanName(name);
        expect(cleaned === "" || accepts(line(60), cleaned)).toBe(true);
        if (accepts(line(60), name)) expect(cleaned).toBe(name.trim());
        const username_ = cleanName(name, "nowhere");
        expect(username_ === "" || accepts(username, username_)).toBe(true);
      }),
    );
  });
  it("are accepted where they change what people see, but not in usernames", () => {
    const visible = ["👩‍🎤", "❤️ mix", "🏳️‍🌈", "👩🏽‍🚀", "1️⃣ intro", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "نام‌ها", "क्‍ष", "葛\u{E0100}城"];
    expect(visible.filter((name) => !accepts(line(60), name))).toEqual([]);
    expect(visible.filter((name) => accepts(username, name))).toEqual([]);
    expect(["👩‍", "‍👩", "👩‍‍🎤", "a️", "1️", "❤️️", "x\u{E0067}\u{E007F}", "ن‌", "‌ن", "a‌b"].filter((name) => accepts(line(60), name))).toEqual([]);
    expect(["🎸 Mia", "Zoë", "李小龍", "O'Brien <3"].every((name) => accepts(username, name))).toBe(true);
  });
});
it("a username must not contain @", () => expect([accepts(username, "a@b"), accepts(username, "a b")]).toEqual([false, true]));
it.each([
  ["1", true],
  ["999999999999999", true],
  ["0", false],
  ["01", false],
  ["9999999999999999", false],
  ["1.0", false],
  ["", false],
])("the id %j in a path is valid: %s", (value, ok) => expect(accepts(idInPath, value)).toBe(ok));

it("a day is an existing date or its midnight in UTC", () => {
  for (const valid of ["2026-03-02", "2024-02-29", "2026-03-02T00:00Z", "2026-03-02T00:00:00Z", "2026-03-02T00:00:00.000Z"])
    expect(accepts(day, valid), valid).toBe(true);
  const invalid = [
    "2026-02-29",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-3-2",
    "2026-03-02T00:00:01Z",
    "2026-03-02T00:00:00+02:00",
    "2026-03-02 ",
    "20260302",
    "",
  ];
  for (const value of invalid) expect(accepts(day, value), value).toBe(false);
});
