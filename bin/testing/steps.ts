/** Steps of a check run: one calm line each, and the whole output only where something failed. */
import { performance } from "node:perf_hooks";

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Tests that passed only at their second try; they count as passed. */
  flaky?: readonly Flaky[];
}

export interface Flaky {
  /** File and title. */
  name: string;
  /** Why the first try failed. */
  error: string;
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

export const sum = (all: readonly Counts[]): Counts => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failed: all.reduce((total, { failed }) => total + failed, 0),
  skipped: all.reduce((total, { skipped }) => total + skipped, 0),
  flaky: all.flatMap(({ flaky = [] }) => flaky),
});

/** Names every flaky test and ends with the closing line. */
export const lastLines = ({ passed, failed, skipped, flaky = [] }: Counts): string =>
  [...flaky.map(({ name }) => `flaky  ${name}`), `${passed} passed, ${failed} failed, ${skipped} skipped`].join("\n");

/** The word at the start of a step's line. */
export const verdict = ({ passed, failed, skipped }: Counts): string => (failed > 0 ? "FAIL" : passed > 0 ? "ok" : skipped > 0 ? "skip" : "ok");

const SHOWN_LINES = 8;
const firstLines = (text: string): string => text.split("\n", SHOWN_LINES).join("\n");

function print(name: string, result: Result, ms: number): void {
  const time = `${(ms / 1000).toFixed(1)} s`.padStart(8);
  console.log(`${verdict(result).padEnd(5)}${name.padEnd(22)}${time}${result.note ? `  ${result.note}` : ""}`);
  for (const one of result.flaky ?? []) console.log(`     flaky: ${one.name}\n${firstLines(one.error).replace(/^/gm, "       ")}`);
  if (result.failed > 0 && result.output) console.log(`\n${result.output.trimEnd().replace(/^/gm, "  ")}\n`);
}

/** Runs steps, `atOnce` at a time, in their order; prints a line for each when it is done. A step that throws has failed. */
export async function runSteps(steps: readonly Step[], atOnce = 1): Promise<Counts> {
  const waiting = [...steps];
  const results: Result[] = [];
  async function work(): Promise<void> {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const start = performance.now();
      const result = await step.run().catch((error: unknown) => failedWith(messageOf(error)));
      print(step.name, result, performance.now() - start);
      results.push(result);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return sum(results);
}

function messageOf(error: unknown): string {
  const { message, wayOut, detail, stack } = error as { message?: string; wayOut?: string; detail?: string; stack?: string };
  if (wayOut) return [message, wayOut, detail].filter(Boolean).join("\n");
  return stack ?? message ?? String(error);
}
