/** Test helpers: a temporary folder that is deleted with the test, and running steps without a separate process. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Results, Step, AnalysisRequest } from "../types.ts";
import { runSteps } from "../worker/steps.ts";

export function createTestFolder(): { path: string; resolve(name: string): string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), "media-"));
  return { path, resolve: (name) => join(path, name), [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export async function runStepsInProcess(
  input: string,
  outputs: string,
  steps: readonly Step[],
  options: Omit<AnalysisRequest, "steps"> = {},
): Promise<Results> {
  const results: Results = {};
  await runSteps(
    { input, outputs, request: { steps, ...options } },
    { done: ({ step, value }) => void Object.assign(results, { [step]: value }), progress() {} },
  );
  return results;
}
