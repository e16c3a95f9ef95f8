import { describe, expect, it } from "vitest";
import { foundText } from "./found-text.ts";

const shown = (body: string, query: string) =>
  foundText(body, query, (id) => `Name${id}`)
    .map(({ text, hit }) => (hit ? `[${text}]` : text))
    .join("");

describe("found text", () => {
  it("marks each hit", () => expect(shown("The bass, a BÁSSLINE and bass", "bass")).toBe("The [bass], a [BÁSSLINE] and [bass]"));
  it("is one line, with names", () => expect(shown("<@3>\n\nlook at 3", "3")).toBe("@Name3 look at [3]"));
  it("stands around the first hit", () => {
    const found = shown(`${"word ".repeat(100)}bass ${"word ".repeat(100)}`, "bass");
    expect(found).toMatch(/^….{55,62}\[bass\] .*…$/);
  });
  it("without words it is the beginning", () => expect(shown("x".repeat(300), "")).toBe(`${"x".repeat(220)}…`));
  it("cuts no sign in two", () => expect(shown(`${"x".repeat(219)}👍${"y".repeat(20)}`, "")).toBe(`${"x".repeat(219)}…`));
});
