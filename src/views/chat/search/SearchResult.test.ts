import { describe, expect, it } from "vitest";
import { buildSearchExcerpt } from "./SearchResult.tsx";

const renderExcerpt = (body: string, query: string) =>
  buildSearchExcerpt(body, query, (id) => `Name${id}`)
    .map(({ text, isHit }) => (isHit ? `[${text}]` : text))
    .join("");

describe("an excerpt", () => {
  it("marks each match", () => expect(renderExcerpt("The bass, a BÁSSLINE and bass", "bass")).toBe("The [bass], a [BÁSSLINE] and [bass]"));
  it("is one line, with names for mentions", () => expect(renderExcerpt("<@3>\n\nlook at 3", "3")).toBe("@Name3 look at [3]"));
  it("starts shortly before the first match", () => {
    const excerpt = renderExcerpt(`${"word ".repeat(100)}bass ${"word ".repeat(100)}`, "bass");
    expect(excerpt).toMatch(/^….{55,62}\[bass\] .*…$/);
  });
  it("without a query is the beginning of the text", () => expect(renderExcerpt("x".repeat(300), "")).toBe(`${"x".repeat(220)}…`));
  it("splits no character", () => expect(renderExcerpt(`${"x".repeat(219)}👍${"y".repeat(20)}`, "")).toBe(`${"x".repeat(219)}…`));
});
