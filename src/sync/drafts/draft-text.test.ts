import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import { findTextIssue } from "../../../contract/text.ts";
import { charactersLeft, checkText, cleanDraft, prependText, serializeBody, shiftMentions } from "./draft-text.ts";

describe("checkText", () => {
  test("text is sent without empty lines at its ends, whitespace only with attachments", () => {
    expect(checkText({ text: "hello" })).toEqual({ body: "hello", isEmpty: false, isTooLong: false, isReady: true, remainingCharacters: null });
    expect(checkText({ text: "\nbass  \n" })).toMatchObject({ body: "bass", isReady: true });
    expect(checkText({ text: "" })).toMatchObject({ body: "", isEmpty: true, isReady: false });
    expect(checkText({ text: " \n " })).toMatchObject({ body: "", isEmpty: true, isReady: false });
    expect(checkText({ text: " \n " }, true)).toMatchObject({ body: "", isEmpty: false, isReady: true });
  });

  test("a mention counts with its serialized length", () => {
    const name = "x".repeat(LIMITS.message_characters);
    const mentions = [{ start: 0, end: name.length, accountId: 5 }];
    expect(checkText({ text: name, mentions })).toMatchObject({ body: "<@5>", isReady: true, isTooLong: false });
  });

  test("a text that is one character too long cannot be sent and shows the excess", () => {
    const longest = "x".repeat(LIMITS.message_characters);
    expect(checkText({ text: longest })).toMatchObject({ body: longest, isReady: true, remainingCharacters: 0, isTooLong: false });
    expect(checkText({ text: `${longest}x` })).toMatchObject({ isReady: false, remainingCharacters: -1, isTooLong: true });
    expect(checkText({ text: `${longest}x` }, true)).toMatchObject({ isReady: false, remainingCharacters: -1, isTooLong: true });
  });
});

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

describe("mentions", () => {
  const mentions = [
    { start: 3, end: 7, accountId: 5 },
    { start: 8, end: 12, accountId: 6 },
  ];

  test("move with text typed before them, and end when their text changes", () => {
    const text = "hi @Ana @Ana";
    expect(serializeBody(text, mentions)).toBe("hi <@5> <@6>");
    const after = "well, hi @Ana @Ana";
    expect(serializeBody(after, shiftMentions(mentions, text, after))).toBe("well, hi <@5> <@6>");
    const cut = "hi @An @Ana";
    expect(serializeBody(cut, shiftMentions(mentions, text, cut))).toBe("hi @An <@6>");
    expect(serializeBody("", shiftMentions(mentions, text, ""))).toBe("");
  });

  test("still cover their names after random edits, if they remain", () => {
    let seed = 3;
    const random = (bound: number) => (seed = (seed * 48_271) % 2_147_483_647) % bound;
    for (let round = 0; round < 300; round += 1) {
      let text = "@Ana, @Ben @Ana @Zoe";
      let names = ["@Ana", "@Ben", "@Ana", "@Zoe"].map((name, index) => ({
        name,
        accountId: index,
        start: [0, 6, 11, 16][index]!,
        end: [4, 10, 15, 20][index]!,
      }));
      for (let change = 0; change < 5; change += 1) {
        const from = random(text.length + 1);
        const next = text.slice(0, from) + "a@ nB".slice(0, random(5)) + text.slice(from + random(6));
        const remaining = shiftMentions(names, text, next);
        names = names.flatMap((mention) => remaining.flatMap((shifted) => (shifted.accountId === mention.accountId ? { ...mention, ...shifted } : [])));
        text = next;
        for (const { name, start, end } of names) expect(text.slice(start, end)).toBe(name);
      }
    }
  });
});

test("a text above another keeps the mentions of both at their places", () => {
  const mention = (accountId: number, start: number) => ({ start, end: start + 4, accountId });
  const added = { text: "@Ana listen", mentions: [mention(1, 0)] };
  expect(prependText({ text: "", mentions: [] }, added)).toEqual(added);
  const joined = prependText({ text: "ask @Ben", mentions: [mention(2, 4)] }, added);
  expect(joined).toEqual({ text: "@Ana listen\nask @Ben", mentions: [mention(1, 0), mention(2, 16)] });
  expect(serializeBody(joined.text, joined.mentions)).toBe("<@1> listen\nask <@2>");
});
