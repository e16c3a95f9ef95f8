import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import { findTextIssue } from "../../../contract/text.ts";
import { charactersLeft, cleanDraft } from "./draft.ts";

describe("cleanDraft", () => {
  test.each([
    ["  \n \t\n", ""],
    ["\n\n  indented\nnext \n\n", "  indented\nnext"],
    ["a\r\nb\rc", "a\nb\nc"],
    ["a\u0000\u0007\u000Bb", "ab"],
    ["tab\tstays", "tab\tstays"],
    ["half \uD83D", "half \uFFFD"],
  ])("%j is sent as %j", (text, sent) => {
    expect(cleanDraft(text)).toBe(sent);
  });

  test("cleaned text passes the service's validation, and cleaning it twice changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const clean = cleanDraft(text);
        expect(findTextIssue(clean, { max: LIMITS.message_characters })).toBeNull();
        expect(cleanDraft(clean)).toBe(clean);
        expect(clean === "" || clean.trim() !== "").toBe(true);
      }),
    );
  });
});

describe("charactersLeft", () => {
  test("returns null until 500 characters are left, then counts like the service", () => {
    expect(charactersLeft("x".repeat(9_400))).toBeNull();
    expect(charactersLeft("x".repeat(9_500))).toBe(500);
    expect(charactersLeft("x".repeat(10_003))).toBe(-3);
    expect(charactersLeft("🎧".repeat(5_000))).toBeNull();
    expect(charactersLeft("🎧".repeat(9_999))).toBe(1);
  });

  test("agrees with the service at the limit", () => {
    const fits = "x".repeat(LIMITS.message_characters);
    expect(charactersLeft(fits)).toBe(0);
    expect(findTextIssue(fits, { max: LIMITS.message_characters })).toBeNull();
    expect(findTextIssue(`${fits}x`, { max: LIMITS.message_characters })).not.toBeNull();
  });
});
