import { describe, expect, onTestFinished, test, vi } from "vitest";
import { lastLine, runSteps, sum, type Result } from "./steps.ts";
import { ofPlaywright, ofVitest, withoutPassed, type VitestReport } from "./tally.ts";

const vitest = (more: Partial<VitestReport> = {}): VitestReport => ({
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [],
  ...more,
});

describe("Vitest", () => {
  test("counts passed, failed, skipped and to-do", () => {
    expect(ofVitest(vitest({ numFailedTests: 2 }), 1)).toEqual({ passed: 5, failed: 2, skipped: 2 });
  });
  test("a file that could not be loaded is a failure", () => {
    const testResults = [
      { name: "broken.test.ts", status: "failed", assertionResults: [] },
      { name: "red.test.ts", status: "failed", assertionResults: [{ status: "failed" }] },
    ];
    expect(ofVitest(vitest({ numFailedTests: 1, testResults }), 1).failed).toBe(2);
  });
  test("an error outside every test is a failure", () => {
    expect(ofVitest(vitest(), 1).failed).toBe(1);
  });
  test("a run without tests is a failure", () => {
    expect(ofVitest(vitest({ numPassedTests: 0, numPendingTests: 9 }), 0).failed).toBe(1);
  });
});

describe("Playwright", () => {
  test("counts a test that needed a second try, and errors outside tests, as failed", () => {
    expect(ofPlaywright({ errors: ["setup"], stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 4 } }, 1)).toEqual({ passed: 3, failed: 3, skipped: 4 });
  });
  test("all green", () => {
    expect(ofPlaywright({ errors: [], stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 0 } }, 0)).toEqual({ passed: 3, failed: 0, skipped: 0 });
  });
});

test("steps add up, and one that throws has failed", async () => {
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  onTestFinished(() => said.mockRestore());
  const done: Result = { passed: 2, failed: 0, skipped: 1 };
  const steps = [
    { name: "good", run: async () => done },
    { name: "thrown", run: () => Promise.reject(new Error("planted")) },
    { name: "after", run: async () => done },
  ];
  const counts = await runSteps(steps, 2);
  expect(counts).toEqual({ passed: 4, failed: 1, skipped: 2 });
  expect(said.mock.calls.flat().join("\n")).toMatch(/^ok .*good[^]*^FAIL .*thrown[^]*Error: planted/m);
  expect(lastLine(counts)).toBe("4 passed, 1 failed, 2 skipped");
  expect(sum([])).toEqual({ passed: 0, failed: 0, skipped: 0 });
});

test("of what is printed, what passed is left out", () => {
  expect(
    withoutPassed(
      " ✓ a.test.ts (3 tests) 12ms\n ❯ b.test.ts\n   × fails\n\n(node:7) Warning: x\n(Use `node --trace-warnings ...` to show where)\n  ✓  1 e2e/a.spec.ts › opens (2s)\n  ✘  2 e2e/b.spec.ts",
    ),
  ).toBe(" ❯ b.test.ts\n   × fails\n  ✘  2 e2e/b.spec.ts");
});
