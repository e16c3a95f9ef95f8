import { describe, expect, test } from "vitest";
import { readBrowserTests, countPlaywright, countVitest, withoutPassedLines, type PlaywrightReport, type VitestReport } from "./test-reports.ts";

const vitestReport = (overrides: Partial<VitestReport> = {}): VitestReport => ({
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [],
  ...overrides,
});

describe("Vitest", () => {
  test("counts passed, failed, skipped and to-do", () => {
    expect(countVitest(vitestReport({ numFailedTests: 2 }), 1)).toEqual({ passed: 5, failed: 2, skipped: 2 });
  });
  test("a file that could not be loaded is a failure", () => {
    const testResults = [
      { name: "broken.test.ts", status: "failed", assertionResults: [] },
      { name: "red.test.ts", status: "failed", assertionResults: [{ status: "failed" }] },
    ];
    expect(countVitest(vitestReport({ numFailedTests: 1, testResults }), 1).failed).toBe(2);
  });
  test("an error outside every test is a failure", () => {
    expect(countVitest(vitestReport(), 1).failed).toBe(1);
  });
  test("a run without tests is a failure", () => {
    expect(countVitest(vitestReport({ numPassedTests: 0, numPendingTests: 9 }), 0).failed).toBe(1);
  });
});

const playwrightReport = (stats: Partial<PlaywrightReport["stats"]>, errors: unknown[] = []): PlaywrightReport => ({
  errors,
  stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 0, ...stats },
  suites: [],
});
const spec = (title: string, status: string, ...attempts: { duration: number; error?: { message: string }; errors?: { message: string }[] }[]) => ({
  title,
  file: "chat/a.spec.ts",
  line: 7,
  tests: [{ status, results: attempts.map((attempt) => ({ status: attempt.error ? "failed" : "passed", ...attempt })) }],
});

describe("Playwright", () => {
  test("counts failures and errors outside tests as failed", () => {
    expect(countPlaywright(playwrightReport({ unexpected: 1, skipped: 4 }, ["setup"]), 1)).toEqual({ passed: 3, failed: 2, skipped: 4, flaky: [] });
  });
  test("counts a test that passed on its second attempt as passed and lists it as flaky", () => {
    const report = playwrightReport({ flaky: 1 });
    report.suites = [{ specs: [], suites: [{ specs: [spec("opens", "flaky", { duration: 9, error: { message: "late" } }, { duration: 5 })] }] }];
    expect(countPlaywright(report, 0)).toEqual({ passed: 4, failed: 0, skipped: 0, flaky: [{ name: "chat/a.spec.ts:7 › opens", error: "late" }] });
    expect(readBrowserTests(report)).toEqual([{ name: "chat/a.spec.ts:7 › opens", status: "flaky", ms: 9, error: "late" }]);
  });
  test("an error names the positions in the tests, from the stacks of all errors", () => {
    const stack = "closed\n    at select (/home/a/e2e/fixtures/status.ts:16:3)\n    at /home/a/e2e/specs/a.spec.ts:9:1\n    at node:internal/x:1:1";
    const failed = spec("opens", "unexpected", { duration: 9, error: { message: "out of time" }, errors: [{ message: "out of time" }, { message: stack }] });
    const [result] = readBrowserTests({ suites: [{ specs: [failed] }] });
    expect(result?.error).toBe("out of time\nat select (/home/a/e2e/fixtures/status.ts:16:3)\nat /home/a/e2e/specs/a.spec.ts:9:1");
  });
  test("a nonzero exit code without a failed test is a failure", () => {
    expect(countPlaywright(playwrightReport({}), 1).failed).toBe(1);
  });
});

test("withoutPassedLines removes passed tests and Node warnings", () => {
  expect(
    withoutPassedLines(
      " ✓ a.test.ts (3 tests) 12ms\n ❯ b.test.ts\n   × fails\n\n(node:7) Warning: x\n(Use `node --trace-warnings ...` to show where)\n  ✓  1 e2e/a.spec.ts › opens (2s)\n  ✘  2 e2e/b.spec.ts",
    ),
  ).toBe(" ❯ b.test.ts\n   × fails\n  ✘  2 e2e/b.spec.ts");
});
