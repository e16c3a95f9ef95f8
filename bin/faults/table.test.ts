import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readReports, type FaultReport } from "./counts.ts";
import { findBrokenPromises, formatFaultTable, sumReports } from "./table.ts";

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
