/** Sums the reports of fault tests by row, finds broken promises, and prints the table. */
import type { FaultGroup } from "./faults.ts";
import { COLUMNS, MUST_BE_ZERO, MUST_NOT_BE_ZERO, type Column, type FaultReport } from "./counts.ts";

export interface FaultRow {
  fault: string;
  on: string;
  counts: Partial<Record<Column, number>>;
}

const NAMES = Object.keys(COLUMNS) as Column[];

/** Returns one row per fault and engine, in the order of the first reports. */
export function sumReports(reports: readonly FaultReport[]): FaultRow[] {
  const rows = new Map<string, FaultRow>();
  for (const { fault, on, counts } of reports) {
    const key = `${fault}\n${on}`;
    const row = rows.get(key) ?? { fault, on, counts: {} };
    rows.set(key, row);
    for (const name of NAMES) if (counts[name] !== undefined) row.counts[name] = (row.counts[name] ?? 0) + counts[name];
  }
  return [...rows.values()];
}

/** Returns a sentence for each count that breaks a promise, and for each fault that reported nothing. */
export function findBrokenPromises(rows: readonly FaultRow[], expectedFaults: readonly string[]): string[] {
  const wrong = rows.flatMap(({ fault, on, counts }) => [
    ...MUST_BE_ZERO.filter((name) => (counts[name] ?? 0) !== 0).map((name) => `${fault} (${on}): ${COLUMNS[name]} is ${counts[name]}, and must be 0.`),
    ...MUST_NOT_BE_ZERO.filter((name) => !counts[name]).map(() => `${fault} (${on}): nothing was broken, so it shows nothing.`),
  ]);
  const missing = expectedFaults.filter((name) => !rows.some(({ fault }) => fault === name));
  return [...wrong, ...missing.map((name) => `${name}: no counts.`)];
}

/** Returns what the counts show: a sentence for each broken promise and for each group that counted nothing, and whether all promises were kept. */
export function judge(rows: readonly FaultRow[], faults: readonly FaultGroup[], hasPostgres: boolean): { lines: string[]; isGood: boolean } {
  const counting = faults.filter((fault) => fault.rows.length > 0 && (hasPostgres || !fault.needsPostgres));
  const broken = findBrokenPromises(
    rows,
    counting.flatMap((fault) => fault.rows),
  );
  const silent = faults
    .filter((fault) => !counting.includes(fault))
    .map(
      ({ name, needsPostgres }) =>
        `${name}: no counts${needsPostgres && !hasPostgres ? ", because it needs PostgreSQL" : "; its tests passed or failed as above"}.`,
    );
  return {
    lines: [...silent, ...broken, ...(rows.length > 0 && broken.length === 0 ? ["Every count that must be zero is zero."] : [])],
    isGood: broken.length === 0,
  };
}

/** Prints numbers with separators, and leaves out columns that no row has. */
export function formatFaultTable(rows: readonly FaultRow[]): string {
  if (rows.length === 0) return "No counts.";
  const used = NAMES.filter((name) => rows.some(({ counts }) => counts[name] !== undefined));
  const lines = [
    ["fault", "on", ...used.map((name) => COLUMNS[name])],
    ...rows.map(({ fault, on, counts }) => [fault, on, ...used.map((name) => counts[name]?.toLocaleString("en-US") ?? "")]),
  ];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
