/** Counts what Vitest and Playwright did, from their JSON reports: pure. */
import type { Counts } from "./steps.ts";

export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[];
}

export interface PlaywrightReport {
  errors: unknown[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

/** A file that broke before its tests could run counts as one failure. */
export function ofVitest(report: VitestReport, exitCode: number): Counts {
  const broken = report.testResults.filter(({ status, assertionResults }) => status === "failed" && !assertionResults.some((one) => one.status === "failed"));
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  return honest(counts, exitCode);
}

/** A test that passed only at the second try counts as failed. */
export function ofPlaywright({ stats, errors }: PlaywrightReport, exitCode: number): Counts {
  return honest({ passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped }, exitCode);
}

/** Neither a run that failed without a failed test, nor one without any test, may look green. */
function honest(counts: Counts, exitCode: number): Counts {
  const ranNothing = counts.passed + counts.failed === 0;
  return counts.failed === 0 && (exitCode !== 0 || ranNothing) ? { ...counts, failed: 1 } : counts;
}

/** What a tool has printed, without its lines of what passed, what Node warns of and empty ones: a failure is found at once, also where a log is cut. */
export const withoutPassed = (output: string): string =>
  output
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s*(✓|\(node:\d+\) |\(Use `node --trace-)/.test(line))
    .join("\n");
