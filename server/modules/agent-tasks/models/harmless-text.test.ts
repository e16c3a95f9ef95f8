import { expect, test } from "vitest";
import { hasLink } from "../../../../contract/links.ts";
import { parseMentions } from "../../conversation/mentions.ts";
import { harmlessText } from "./harmless-text.ts";

const NAMES = new Map([
  [7, "Ada"],
  [8, "@9>"],
]);

test("mentions become names, also those that the replacement would make", () => {
  expect(harmlessText("<@7> and <@12> agree", NAMES)).toBe("Ada and somebody agree");
  for (const text of ["<<@8>", "<<@7>@7>", "<\u200B@7>", "<\u0000@7>", "<\u202E@7>", "<<@<@7>7>"])
    expect(parseMentions(harmlessText(text, NAMES)), text).toEqual([]);
});

test("links of every kind are removed", () => {
  const texts = [
    "See https://evil.example/x?a=1.",
    "See www.evil.example and evil.studio/login",
    "[here](https://evil.example)",
    "Mail me@evil.example or mailto:me@evil.example",
    "https://user:pass@evil.example",
    "http\u200Bs://evil.example",
    "ht\u202Etps://evil.example",
    "https://\u202Eevil.example",
  ];
  for (const text of texts) expect(hasLink(harmlessText(text)), text).toBe(false);
  expect(harmlessText("See https://evil.example now")).toBe("See [link removed] now");
});

test("ordinary text stays", () => {
  const text = "- Bass \u22121 dB at 1:23 (Mix v2.wav)\n- @Ada: 3 < 4 & \u201Cdone\u201D \u{1F44D}\u{1F3FD}";
  expect(harmlessText(text)).toBe(text);
  expect(harmlessText("gnp.\u202Egpj ze\u200Bro")).toBe("gnp.gpj zero");
  expect(harmlessText("a\r\n\n\n\nb\u0007 \uD800")).toBe("a\n\nb \uFFFD");
});
