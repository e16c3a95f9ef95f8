import { describe, expect, test } from "vitest";
import { type TextBlock, excerptOf, type Inline, parse } from "./parse.ts";

const parseSingleLine = (body: string, mentions: number[] = []) => {
  const [block, ...rest] = parse(body, { mentions, parseTimes: true });
  expect(rest).toEqual([]);
  expect(block?.kind).toBe("lines");
  return (block as Extract<TextBlock, { kind: "lines" }>).inside;
};

const timeAt = (text: string, seconds: number) => ({ kind: "time" as const, text, seconds });

describe("inline formatting", () => {
  test.each<[string, Inline[]]>([
    ["plain & <b>plain</b>", ["plain & <b>plain</b>"]],
    ["**loud** and *soft*", [{ kind: "bold", inside: ["loud"] }, " and ", { kind: "italic", inside: ["soft"] }]],
    ["**all *of* it**", [{ kind: "bold", inside: ["all ", { kind: "italic", inside: ["of"] }, " it"] }]],
    ["2*3*4 = 24, a ** b, *", ["2*3*4 = 24, a ** b, *"]],
    ["**never closed *nor this", ["**never closed *nor this"]],
    ["*a **b* c**", [{ kind: "italic", inside: ["a **b"] }, " c**"]],
    ["run `a * b * c` now", ["run ", { kind: "code", text: "a * b * c" }, " now"]],
    ["one ` tick", ["one ` tick"]],
    ["“*so*”", ["“", { kind: "italic", inside: ["so"] }, "”"]],
    ["hot at 1:23, and 1:02:03.", ["hot at ", { kind: "time", text: "1:23", seconds: 83 }, ", and ", { kind: "time", text: "1:02:03", seconds: 3723 }, "."]],
    ["between 2:10–2:18 or 2:10 - 1:00:18", ["between ", timeAt("2:10–2:18", 130), " or ", timeAt("2:10 - 1:00:18", 130)]],
    ["2:10-2:1 9:30 pm, 9:31 am", [timeAt("2:10", 130), "-2:1 9:30 pm, 9:31 am"]],
    ["~~cut ~ this **now**~~ and ~~~ a~~b", [{ kind: "strike", inside: ["cut ~ this ", { kind: "bold", inside: ["now"] }] }, " and ~~~ a~~b"]],
    ["1:234 a1:23 1:2 12:34:5", ["1:234 a1:23 1:2 12:34:5"]],
  ])("parses %j", (body, expected) => {
    expect(parseSingleLine(body)).toEqual(expected);
  });

  test("only mentions of mentioned accounts are parsed, others stay text", () => {
    expect(parseSingleLine("<@5> and <@6>", [5])).toEqual([{ kind: "mention", accountId: 5 }, " and <@6>"]);
  });

  test("only web addresses become links, with all their characters, also inside bold text", () => {
    expect(parseSingleLine("**https://a.example/x*y**")).toMatchObject([
      { kind: "bold", inside: [{ kind: "link", text: "https://a.example/x*y", href: "https://a.example/x*y" }] },
    ]);
    expect(parseSingleLine("javascript:alert(1) data:text/html,x //evil.example")).toEqual(["javascript:alert(1) data:text/html,x //evil.example"]);
    expect(parseSingleLine("https://аpple.example/")).toMatchObject([{ kind: "link", host: "xn--pple-43d.example" }]);
  });
});

describe("blocks", () => {
  test("code, quotes and lists are parsed one after the other", () => {
    expect(parse("so:\n```js\na *b*\n\n```\n> one\n> two\n- x\n- *y*\n1. a\n2. b\nend")).toEqual([
      { kind: "lines", inside: ["so:"] },
      { kind: "code", text: "a *b*\n" },
      { kind: "quote", inside: ["one", "\n", "two"] },
      { kind: "list", first: null, items: [["x"], [{ kind: "italic", inside: ["y"] }]] },
      { kind: "list", first: 1, items: [["a"], ["b"]] },
      { kind: "lines", inside: ["end"] },
    ]);
  });
  test("an unclosed code block is text; −2 dB and 3.5 start no list", () => {
    expect(parse("```\n```")).toEqual([{ kind: "lines", inside: ["```", "\n", "```"] }]);
    expect(parse("```\nx")).toEqual([{ kind: "lines", inside: ["```", "\n", "x"] }]);
    expect(parse("-2 dB\n3.5 dB").map(({ kind }) => kind)).toEqual(["lines"]);
  });
  test("an excerpt joins blocks into one line", () => {
    expect(excerptOf("**Hi** <@5>\n> was `so`\n- a\n- b", () => "Ana", [5])).toBe("Hi @Ana was so a · b");
  });
});

/** Returns everything that was typed, regardless of how it was parsed. */
const plainText = (inside: readonly Inline[]): string =>
  inside
    .map((inline) =>
      typeof inline === "string" ? inline : "inside" in inline ? plainText(inline.inside) : inline.kind === "mention" ? `<@${inline.accountId}>` : inline.text,
    )
    .join("");

describe("hostile text", () => {
  const LENGTH = 20_000;
  const fill = (piece: string) => piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH);
  const HOSTILE = {
    stars: fill("*"),
    "open stars": fill(" *a **b"),
    "closed stars": fill("*a* **b** "),
    "crossed stars": fill("*a **b* c** "),
    ticks: fill("`"),
    "ticks in pairs": fill("``a"),
    quotes: fill("> "),
    "lines of quotes": fill("> > x\n"),
    fences: fill("```\n"),
    "fences that never end": fill("```js\n"),
    brackets: fill("[(<@"),
    mentions: fill("<@5>"),
    times: fill("1:23 "),
    digits: fill("1:"),
    marks: `a${fill("\u0301")}`,
    reordering: fill("\u202Ea.example\u202C "),
    emoji: "😀".repeat(5_000),
    families: fill("👨‍👩‍👧‍👦"),
    lists: fill("- a\n1. b\n"),
    links: fill("https://a.example/x "),
    "halves of links": fill("http://"),
    addresses: fill("a@b."),
    dots: fill("a."),
  };
  const time = (body: string) => {
    const from = performance.now();
    parse(body, { mentions: [5], parseTimes: true });
    return performance.now() - from;
  };
  test.each(Object.entries(HOSTILE))("%s: parses fast without losing text", (_, body) => {
    expect(time(body)).toBeLessThan(2_000);
    const text = parse(body).map((block) =>
      block.kind === "code" ? block.text : block.kind === "list" ? block.items.map(plainText).join("") : plainText(block.inside),
    );
    expect(text.join("").length).toBeGreaterThan(0);
  });
  // A parser that backtracks over its input would need minutes for this, on any machine.
  test.each(Object.entries(HOSTILE))("%s: parses fast at ten times the length", (_, body) => {
    expect(time(body.repeat(10))).toBeLessThan(5_000);
  });
  test("random text loses only its formatting markers", () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const alphabet = ["*", "**", "`", " ", "a", "<@5>", "1:23", "https://a.example", "é", "😀"];
    for (let round = 0; round < 3_000; round += 1) {
      const body = Array.from({ length: random(14) + 1 }, () => alphabet[random(alphabet.length)]!).join("");
      const withoutMarkers = (text: string) => text.replace(/[*`]/g, "");
      const inside = parse(body, { mentions: [5], parseTimes: true }).flatMap((block) =>
        "inside" in block ? block.inside : "text" in block ? [block.text] : block.items.flat(),
      );
      expect(withoutMarkers(plainText(inside)), body).toBe(withoutMarkers(body));
    }
  });
});
