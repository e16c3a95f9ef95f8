import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasLink, segmentText } from "./links.ts";

const hrefsIn = (text: string) => segmentText(text).flatMap((segment) => ("href" in segment ? [segment.href] : []));

describe("links", () => {
  test.each([
    ["see https://northlight.example/spec.pdf.", ["https://northlight.example/spec.pdf"]],
    ["(http://a.example/x_(y))", ["http://a.example/x_(y)"]],
    ["northlight.example/spec/2026-11.pdf", ["https://northlight.example/spec/2026-11.pdf"]],
    ["www.example.com and example.com", ["https://www.example.com/", "https://example.com/"]],
    ["write to ana@northlight.example", ["mailto:ana@northlight.example"]],
    ["mailto:ana@northlight.example", ["mailto:ana@northlight.example"]],
    ["http://localhost:3000/docs", ["http://localhost:3000/docs"]],
  ])("finds the links in: %s", (text, links) => {
    expect(hrefsIn(text)).toEqual(links);
  });

  test.each([
    "javascript:alert(1)",
    "JAVASCRIPT://example.com/%0aalert(1)",
    "data:text/html,<script>alert(1)</script>",
    "//evil.example/x",
    "ftp://files.example/x",
    "file:///etc/passwd",
    "https://user:password@evil.example/",
    "nightdrive_mix_v4.wav and notes.md, at 1:23, v2.1, 48.0",
    "https://good.example/\u202Egpj.exe",
  ])("finds no link in: %s", (text) => {
    expect(hrefsIn(text)).toEqual([]);
  });

  test("shows the punycode host of a URL with lookalike letters", () => {
    expect(segmentText("https://аррӏе.com/x")).toEqual([{ text: "https://аррӏе.com/x", href: "https://xn--80ak6aa92e.com/x", host: "xn--80ak6aa92e.com" }]);
  });

  test("the segments add up to the text, and every link has an allowed scheme", () => {
    const hostile = fc.string({
      unit: fc.constantFrom(
        "http://",
        "https:",
        "//",
        "javascript:",
        "mailto:",
        "@",
        ".",
        "com",
        "a",
        " ",
        "\n",
        "<",
        '"',
        "\u202E",
        "(",
        ")",
        "🎧",
        "xn--",
        ":",
        "/",
        "%00",
        "\\",
      ),
    });
    fc.assert(
      fc.property(hostile, (text) => {
        const segments = segmentText(text);
        expect(segments.map((segment) => segment.text).join("")).toBe(text);
        for (const segment of segments) if ("href" in segment) expect(new URL(segment.href).protocol).toMatch(/^(https?|mailto):$/);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    "merch.shop",
    "(HTTP://A.EXAMPLE)",
    "münchen.example",
    "see https://x.example/a",
    "HTTP://X.EXAMPLE",
    "mail a@b.de",
    "www.x.de",
    "(x.de/y)",
    "mailto:a@b.de",
  ])("hasLink is true for %s", (text) => {
    expect(hasLink(text)).toBe(true);
    expect(hrefsIn(text)).toHaveLength(1);
  });
  test.each(["https://user:pw@evil.example/", "mix.wav", "and/or", "e.g. this", "notes.md", "@ana 1:23", "http:// nothing"])(
    "hasLink is false for %s",
    (text) => expect(hasLink(text)).toBe(false),
  );
  test("hasLink agrees with the links that are displayed", () => {
    const unit = fc.constantFrom("http://", "https://u:p@", "mailto:", "www.", "@", ".", "com", "shop", "de", "md", "xyz", "a", "日", " ", "/", "\u202E", "(");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        expect(hasLink(text)).toBe(hrefsIn(text).length > 0);
      }),
      { numRuns: 3_000 },
    );
  });

  test("segments 20,000 hostile characters within 1.5 seconds", () => {
    const started = performance.now();
    for (const text of ["a.".repeat(10_000), "http://".repeat(2_800), "((((".repeat(5_000), "@a".repeat(10_000), "http://a.com/" + "(".repeat(20_000)])
      segmentText(text);
    expect(performance.now() - started).toBeLessThan(1_500);
  });
});
