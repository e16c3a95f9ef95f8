import { expect, test } from "vitest";
import { addRound, formatSoakTable, type SoakRow } from "./soak-table.ts";

test("sums rounds and failures, keeps the slowest time of each test, and lists failed tests first", () => {
  const rows = new Map<string, SoakRow>();
  addRound(rows, [
    { name: "a.spec.ts:1 › opens", status: "expected", ms: 900 },
    { name: "b.spec.ts:1 › saves", status: "unexpected", ms: 400 },
  ]);
  addRound(rows, [
    { name: "a.spec.ts:1 › opens", status: "expected", ms: 2_100 },
    { name: "b.spec.ts:1 › saves", status: "expected", ms: 300 },
    { name: "c.spec.ts:1 › closes", status: "expected", ms: 100 },
  ]);
  expect(formatSoakTable(rows).split("\n")).toEqual([
    "rounds failures   slowest  test",
    "     2        1     0.4 s  b.spec.ts:1 › saves",
    "     2        0     2.1 s  a.spec.ts:1 › opens",
    "     1        0     0.1 s  c.spec.ts:1 › closes",
  ]);
});
