/** Runs the steps of a check and prints one line for each, with the whole output only on failure. */
import { performance } from "node:perf_hooks";

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Tests that passed only on retry. They count as passed. */
  flaky?: readonly Flaky[];
}

export interface Flaky {
  /** File and title. */
  name: string;
  /** Why the first attempt failed. */
  error: string;
}

export interface StepResult extends Counts {
  /** Short note for the step's line, such as "312 tests". */
  note?: string;
  /** Output shown on failure. */
  output?: string;
}

export interface Step {
  name: string;
  run(): Promise<StepResult>;
}

export const PASSED: StepResult = { passed: 1, failed: 0, skipped: 0 };
export const failedResult = (output: string): StepResult => ({ passed: 0, failed: 1, skipped: 0, output });
export const skippedResult = (note: string): StepResult => ({ passed: 0, failed: 0, skipped: 1, note });

export const sumCounts = (counts: readonly Counts[]): Counts => ({
  passed: counts.reduce((total, { passed }) => total + passed, 0),
  failed: counts.reduce((total, { failed }) => total + failed, 0),
  skipped: counts.reduce((total, { skipped }) => total + skipped, 0),
  flaky: counts.flatMap(({ flaky = [] }) => flaky),
});

/** Lists every flaky test, followed by the totals. */
export const formatSummary = ({ passed, failed, skipped, flaky = [] }: Counts): string =>
  [...flaky.map(({ name }) => `flaky  ${name}`), `${passed} passed, ${failed} failed, ${skipped} skipped`].join("\n");

/** Returns the label at the start of a step's line. */
export const statusLabel = ({ passed, failed, skipped }: Counts): string => (failed > 0 ? "FAIL" : passed > 0 ? "ok" : skipped > 0 ? "skip" : "ok");

const MAX_SHOWN_LINES = 8;
const firstLines = (text: string): string => text.split("\n", MAX_SHOWN_LINES).join("\n");

function print(name: string, result: StepResult, ms: number): void {
  const time = `${(ms / 1000).toFixed(1)} s`.padStart(8);
  console.log(`${statusLabel(result).padEnd(5)}${name.padEnd(22)}${time}${result.note ? `  ${result.note}` : ""}`);
  for (const flakyTest of result.flaky ?? []) console.log(`     flaky: ${flakyTest.name}\n${firstLines(flakyTest.error).replace(/^/gm, "       ")}`);
  if (result.failed > 0 && result.output) console.log(`\n${result.output.trimEnd().replace(/^/gm, "  ")}\n`);
}

/** Runs steps in order, up to `concurrency` at a time, and prints a line as each one finishes. A step that throws counts as failed. */
export async function runSteps(steps: readonly Step[], concurrency = 1): Promise<Counts> {
  const queue = [...steps];
  const results: StepResult[] = [];
  async function work(): Promise<void> {
    for (let step = queue.shift(); step; step = queue.shift()) {
      const start = performance.now();
      const result = await step.run().catch((error: unknown) => failedResult(errorMessage(error)));
      print(step.name, result, performance.now() - start);
      results.push(result);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work));
  return sumCounts(results);
}

function errorMessage(error: unknown): string {
  const { message, hint, detail, stack } = error as { message?: string; hint?: string; detail?: string; stack?: string };
  if (hint) return [message, hint, detail].filter(Boolean).join("\n");
  return stack ?? message ?? String(error);
}
