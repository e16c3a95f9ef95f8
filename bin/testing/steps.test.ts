import { expect, onTestFinished, test, vi } from "vitest";
import { formatSummary, runSteps, sumCounts, type StepResult } from "./steps.ts";

test("runSteps sums the counts of its steps and counts a step that throws as failed", async () => {
  const logged = vi.spyOn(console, "log").mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  const done: StepResult = { passed: 2, failed: 0, skipped: 1 };
  const steps = [
    { name: "good", run: async () => done },
    { name: "thrown", run: () => Promise.reject(new Error("planted")) },
    { name: "after", run: async () => ({ ...done, flaky: [{ name: "slow.spec.ts › waits", error: "late" }] }) },
  ];
  const counts = await runSteps(steps, 2);
  expect(counts).toEqual({ passed: 4, failed: 1, skipped: 2, flaky: [{ name: "slow.spec.ts › waits", error: "late" }] });
  expect(logged.mock.calls.flat().join("\n")).toMatch(/^ok .*good[^]*^FAIL .*thrown[^]*Error: planted/m);
  expect(formatSummary(counts)).toBe("flaky  slow.spec.ts › waits\n4 passed, 1 failed, 2 skipped");
  expect(formatSummary(sumCounts([]))).toBe("0 passed, 0 failed, 0 skipped");
});
