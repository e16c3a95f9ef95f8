import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readReports, type FaultReport } from "./counts.ts";
import { type FaultGroup, FAULTS } from "./faults.ts";
import { findBrokenPromises, formatFaultTable, judge, sumReports } from "./table.ts";

it("reports are summed by fault and engine, and printed with the columns that they have", () => {
  const folder = mkdtempSync(join(tmpdir(), "talkback-counts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "counts");
  expect(readReports(file)).toEqual([]);
  const reports: FaultReport[] = [
    { fault: "messages", on: "sqlite", counts: { broken: 20, acknowledged: 1_000, lost: 0 } },
    { fault: "messages", on: "sqlite", counts: { broken: 1, acknowledged: 234, lost: 0 } },
    { fault: "uploads", on: "postgres", counts: { broken: 2, resumed: 2 } },
  ];
  for (const report of reports) appendFileSync(file, `${JSON.stringify(report)}\n`);
  const rows = sumReports(readReports(file));
  expect(formatFaultTable(rows)).toBe(
    [
      "fault     on        broken  acknowledged  lost  resumed",
      "messages  sqlite        21         1,234     0",
      "uploads   postgres       2                            2",
    ].join("\n"),
  );
  expect(findBrokenPromises(rows, ["messages", "uploads"])).toEqual([]);
});

it("a count that must be zero, one that must not, and a fault without counts are broken promises", () => {
  const rows = sumReports([
    { fault: "messages", on: "sqlite", counts: { broken: 20, lost: 1, doubled: 0, repeated: 3 } },
    { fault: "uploads", on: "sqlite", counts: { broken: 0 } },
  ]);
  expect(findBrokenPromises(rows, ["messages", "uploads", "webhooks"])).toEqual([
    "messages (sqlite): lost is 1, and must be 0.",
    "uploads (sqlite): nothing was broken, so it shows nothing.",
    "webhooks: no counts.",
  ]);
});

it("a group that counts nothing is named, and nothing is said of counts that there are not", () => {
  const group = (name: string, rows: string[], needsPostgres = false): FaultGroup => ({ name, title: name, tests: [], rows, needsPostgres });
  const image = group("image", []);
  expect(formatFaultTable([])).toBe("No counts.");
  expect(judge([], [image], true)).toEqual({ lines: ["image: no counts; its tests passed or failed as above."], isGood: true });
  const rows = sumReports([{ fault: "messages", on: "sqlite", counts: { broken: 20, lost: 0 } }]);
  const faults = [image, group("chat", ["messages"]), group("cluster", ["presence"], true)];
  expect(judge(rows, faults, true)).toEqual({ lines: ["image: no counts; its tests passed or failed as above.", "presence: no counts."], isGood: false });
  expect(judge(rows, faults, false)).toEqual({
    lines: [
      "image: no counts; its tests passed or failed as above.",
      "cluster: no counts, because it needs PostgreSQL.",
      "Every count that must be zero is zero.",
    ],
    isGood: true,
  });
});

it("docs/testing.md names every group", () => {
  const [, section = ""] = readFileSync(new URL("../../docs/testing.md", import.meta.url), "utf8").split("## Faults: `npm run faults`");
  const named = section
    .split("\n## ")[0]!
    .match(/^\| `.*?\|/gm)!
    .flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name));
  expect(named.toSorted()).toEqual(FAULTS.map(({ name }) => name).toSorted());
});
