import { expect, it } from "vitest";
import { judge, type Goal, type Line, toResult } from "./benchmark.ts";
import { formatMarkdown, formatNumber, formatTable, tableRows } from "./table.ts";

const LINE: Line = {
  work: "newest page",
  unit: "/s",
  values: [400, 500, 450],
  yardstick: { name: "constant route", values: [4_000, 4_000, 4_500] },
  goal: { of: "ratio", better: "higher", must: 0.25, aim: 0.6 },
};

it("judges by the ratio of each round, not by the ratio of medians", () => {
  const { ratio, verdict } = toResult("history", LINE);
  expect(ratio).toEqual({ median: 0.1, lowest: 0.1, highest: 0.125 });
  expect(verdict).toBe("MISSES what it must reach");
});

it("says which limit is reached, in both directions", () => {
  const summary = (median: number) => ({ median, lowest: median, highest: median });
  const more: Goal = { of: "value", better: "higher", must: 10, aim: 20 };
  expect([9, 10, 20].map((value) => judge(more, summary(value), null))).toEqual([
    "MISSES what it must reach",
    "reaches what it must, not the aim",
    "reaches the aim",
  ]);
  const less: Goal = { of: "value", better: "lower", must: 50 };
  expect([50, 51].map((value) => judge(less, summary(value), null))).toEqual(["reaches what it must", "MISSES what it must reach"]);
  expect(judge({ ...less, of: "ratio" }, summary(1), null)).toBe("not measured");
  expect(judge({ ...less, of: "ratio" }, summary(1), summary(Number.NaN))).toBe("not measured");
  expect(judge(undefined, summary(1), null)).toBe("");
});

it("shows values with their range, unit and limits", () => {
  const lost: Line = { work: "lost", unit: "", values: [0], goal: { of: "value", better: "lower", must: 0 }, note: "of 5 | 6" };
  expect(tableRows([toResult("history", LINE), toResult("history", lost)])).toEqual([
    [
      "history",
      "newest page",
      "450/s (400 to 500)",
      "constant route: 4,000/s (4,000 to 4,500)",
      "0.1 x (0.1 to 0.125)",
      ">= 0.25 x",
      ">= 0.6 x",
      "MISSES what it must reach",
    ],
    ["", "lost", "0", "", "", "<= 0", "", "reaches what it must; of 5 | 6"],
  ]);
});

it("formats numbers for people", () =>
  expect([0, 0.03214, 12.345, 99.96, 1_234.5, Number.NaN].map(formatNumber)).toEqual(["0", "0.0321", "12.3", "100", "1,235", "-"]));

it("aligns columns, and escapes Markdown", () => {
  const results = [toResult("a", { ...LINE, work: "x | y" })];
  const [heading, row] = formatTable(results).split("\n");
  expect(row?.indexOf("450/s")).toBe(heading?.indexOf("value"));
  expect(formatMarkdown(results).split("\n")).toHaveLength(3);
  expect(formatMarkdown(results)).toContain("x \\| y");
});
