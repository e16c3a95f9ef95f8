/** Analyzes files inside the test process, which yields the same results and avoids a process start per file. */
import type { analyze } from "../analyze.ts";
import { fromWire, toWire } from "../failure.ts";
import type { Results } from "../types.ts";
import { runSteps } from "../worker/steps.ts";

type Analyze = typeof analyze;

/** Copies a value through JSON, as a message to another process would. */
const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Analyzes one file at a time, as a media process does. Without supervision, a crash, hang or memory leak affects the tests. */
export function analyzeInProcess(): Analyze {
  let last: Promise<unknown> = Promise.resolve();
  const run: Analyze = async ({ input, outputs, request, onStep }) => {
    const results: Results = {};
    try {
      await runSteps(
        { input, outputs, request },
        {
          done(step) {
            const done = throughJson(step);
            Object.assign(results, { [done.step]: done.value });
            onStep?.(done);
          },
          progress() {},
        },
      );
    } catch (error) {
      throw fromWire(throughJson(toWire(error)));
    }
    return results;
  };
  return (options) => {
    const result = last.then(() => run(options));
    last = result.catch(() => undefined);
    return result;
  };
}

/** Analyzes the first and every further `count`-th file with `nth`, and all others with `otherwise`. */
export function everyNth(count: number, nth: Analyze, otherwise: Analyze): Analyze {
  let fileCount = 0;
  return (options) => (fileCount++ % count === 0 ? nth : otherwise)(options);
}
