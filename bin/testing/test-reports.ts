/** Counts test results from the JSON reports of Vitest and Playwright. */
import { stripVTControlCharacters } from "node:util";
import type { Counts } from "./steps.ts";

export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[];
}

interface PlaywrightResult {
  status: string;
  duration: number;
  error?: { message?: string };
  /** All errors, each with its stack. */
  errors?: { message?: string }[];
}

interface PlaywrightSuite {
  specs: {
    title: string;
    file: string;
    line: number;
    tests: { status: string; results: PlaywrightResult[] }[];
  }[];
  suites?: PlaywrightSuite[];
}

export interface PlaywrightReport {
  errors: unknown[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
}

export interface BrowserTest {
  /** File and title. */
  name: string;
  status: "expected" | "unexpected" | "flaky" | "skipped";
  /** Duration of its slowest attempt, in milliseconds. */
  ms: number;
  /** Error of its last failed attempt, and where in the tests it occurred. */
  error?: string;
}

/** Counts a file that failed before its tests could run as one failure. */
export function countVitest(report: VitestReport, exitCode: number): Counts {
  const unloadedFiles = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((result) => result.status === "failed"),
  );
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadedFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  return failIfInconclusive(counts, exitCode);
}

/** Counts a test that passed only on retry as passed and lists it as flaky with its error. */
export function countPlaywright(report: PlaywrightReport, exitCode: number): Counts {
  const { stats, errors } = report;
  const flaky = readBrowserTests(report)
    .filter(({ status }) => status === "flaky")
    .map(({ name, error = "" }) => ({ name, error: stripVTControlCharacters(error) }));
  const failed = stats.unexpected + errors.length;
  return { ...failIfInconclusive({ passed: stats.expected + stats.flaky, failed, skipped: stats.skipped }, exitCode), flaky };
}

/** Returns every test of a Playwright report. */
export const readBrowserTests = ({ suites }: Pick<PlaywrightReport, "suites">): BrowserTest[] =>
  suites.flatMap((suite) => [
    ...suite.specs.flatMap(({ title, file, line, tests }) =>
      tests.map(({ status, results }) => {
        const error = describeError(results.findLast((result) => result.error));
        return {
          name: `${file}:${line} › ${title}`,
          status: status as BrowserTest["status"],
          ms: Math.max(0, ...results.map(({ duration }) => duration)),
          ...(error ? { error } : {}),
        };
      }),
    ),
    ...readBrowserTests({ suites: suite.suites ?? [] }),
  ]);

const MAX_ERROR_LINES = 12;

/** Only the second error of a test that ran out of time has a stack, so positions come from all errors. */
function describeError({ error, errors = [] }: Partial<PlaywrightResult> = {}): string | undefined {
  if (!error?.message) return undefined;
  const stacks = errors.flatMap(({ message = "" }) => stripVTControlCharacters(message).split("\n"));
  const positions = new Set(stacks.map((line) => line.trim()).filter((line) => /^at .*\be2e[/\\]/.test(line)));
  return [...error.message.split("\n").slice(0, MAX_ERROR_LINES), ...positions].join("\n");
}

/** Counts a failure if the run failed without a failed test or ran no test at all. */
function failIfInconclusive(counts: Counts, exitCode: number): Counts {
  const hasRunNothing = counts.passed + counts.failed === 0;
  return counts.failed === 0 && (exitCode !== 0 || hasRunNothing) ? { ...counts, failed: 1 } : counts;
}

/** Removes lines of passed tests, Node warnings and empty lines from a tool's output, so that a failure is easy to find, even in a truncated log. */
export const withoutPassedLines = (output: string): string =>
  output
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s*(✓|\(node:\d+\) |\(Use `node --trace-)/.test(line))
    .join("\n");
