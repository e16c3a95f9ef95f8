/** Aggregates the results of soak rounds. */
import type { BrowserTest } from "./test-reports.ts";

export interface SoakRow {
  rounds: number;
  failures: number;
  slowestMs: number;
}

export function addRound(rows: Map<string, SoakRow>, tests: readonly BrowserTest[]): void {
  for (const { name, status, ms } of tests) {
    const row = rows.get(name) ?? { rounds: 0, failures: 0, slowestMs: 0 };
    rows.set(name, {
      rounds: row.rounds + 1,
      failures: row.failures + (status === "unexpected" ? 1 : 0),
      slowestMs: Math.max(row.slowestMs, ms),
    });
  }
}

/** Formats one line per test: failed tests first, then the slowest. */
export function formatSoakTable(rows: ReadonlyMap<string, SoakRow>): string {
  const sorted = [...rows].toSorted(([, left], [, right]) => right.failures - left.failures || right.slowestMs - left.slowestMs);
  const lines = sorted.map(([name, { rounds, failures, slowestMs }]) => [
    String(rounds).padStart(6),
    String(failures).padStart(8),
    `${(slowestMs / 1000).toFixed(1)} s`.padStart(9),
    ` ${name}`,
  ]);
  return [["rounds", "failures", "  slowest", " test"], ...lines].map((cells) => cells.join(" ")).join("\n");
}
