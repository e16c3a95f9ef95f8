/** Steps of a check run: one calm line each, and the whole output only where something failed. */
import { performance } from "node:perf_hooks";

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface Result extends Counts {
  /** A few words for the step's line, such as "312 tests". */
  note?: string;
  /** What to show when something failed. */
  output?: string;
}

export interface Step {
  name: string;
  run(): Promise<Result>;
}

export const PASSED: Result = { passed: 1, failed: 0, skipped: 0 };
export const failedWith = (output: string): Result => ({ passed: 0, failed: 1, skipped: 0, output });
export const skippedBecause = (note: string): Result => ({ passed: 0, failed: 0, skipped: 1, note });

export const sum = (all: readonly Counts[]): Counts =>
  all.reduce<Counts>((total, one) => ({ passed: total.passed + one.passed, failed: total.failed + one.failed, skipped: total.skipped + one.skipped }), {
    passed: 0,
    failed: 0,
    skipped: 0,
  });

export const lastLine = ({ passed, failed, skipped }: Counts): string => `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** The word at the start of a step's line. */
export const verdict = ({ passed, failed, skipped }: Counts): string => (failed > 0 ? "FAIL" : passed > 0 ? "ok" : skipped > 0 ? "skip" : "ok");

function tell(name: string, result: Result, ms: number): void {
  const time = `${(ms / 1000).toFixed(1)} s`.padStart(8);
  console.log(`${verdict(result).padEnd(5)}${name.padEnd(22)}${time}${result.note ? `  ${result.note}` : ""}`);
  if (result.failed > 0 && result.output) console.log(`\n${result.output.trimEnd().replace(/^/gm, "  ")}\n`);
}

/** Runs steps, `atOnce` at a time, in their order; each tells its line when it is done. A step that throws has failed. */
export async function runSteps(steps: readonly Step[], atOnce = 1): Promise<Counts> {
  const waiting = [...steps];
  const results: Result[] = [];
  async function work(): Promise<void> {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const start = performance.now();
      const result = await step.run().catch((error: unknown) => failedWith(wordsOf(error)));
      tell(step.name, result, performance.now() - start);
      results.push(result);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return sum(results);
}

function wordsOf(error: unknown): string {
  const { message, wayOut, detail, stack } = error as { message?: string; wayOut?: string; detail?: string; stack?: string };
  if (wayOut) return [message, wayOut, detail].filter(Boolean).join("\n");
  return stack ?? message ?? String(error);
}
