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
  ])("%s", (text, links) => {
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
  ])("%s stays text", (text) => {
    expect(hrefsIn(text)).toEqual([]);
  });

  test("an address in letters that imitate others shows its true host", () => {
    expect(segmentText("https://аррӏе.com/x")).toEqual([{ text: "https://аррӏе.com/x", href: "https://xn--80ak6aa92e.com/x", host: "xn--80ak6aa92e.com" }]);
  });

  test("the pieces are the text again, and every link is of an allowed kind", () => {
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

  test.each(["merch.shop", "see https://x.example/a", "HTTP://X.EXAMPLE", "mail a@b.de", "www.x.de", "(x.de/y)", "mailto:a@b.de"])(
    "the search finds as one: %s",
    (text) => {
      expect(hasLink(text)).toBe(true);
      expect(hrefsIn(text)).toHaveLength(1);
    },
  );
  test.each(["https://user:pw@evil.example/", "mix.wav", "and/or", "e.g. this", "notes.md", "@ana 1:23", "http:// nothing"])("nor as one: %s", (text) =>
    expect(hasLink(text)).toBe(false),
  );
  test("what the search calls a link is what is shown as one", () => {
    const unit = fc.constantFrom("http://", "https://u:p@", "mailto:", "www.", "@", ".", "com", "shop", "de", "md", "xyz", "a", "日", " ", "/", "\u202E", "(");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        expect(hasLink(text)).toBe(hrefsIn(text).length > 0);
      }),
      { numRuns: 3_000 },
    );
  });

  test("20,000 hostile characters take no time", () => {
    const started = performance.now();
    for (const text of ["a.".repeat(10_000), "http://".repeat(2_800), "((((".repeat(5_000), "@a".repeat(10_000), "http://a.com/" + "(".repeat(20_000)])
      segmentText(text);
    expect(performance.now() - started).toBeLessThan(1_500);
  });
});
