/** Files looked into by the process of the tests: what comes out is the same, and starting a process takes longer than most files do. */
import type { analyze } from "../analyse.ts";
import { fromWire, toWire } from "../failure.ts";
import type { Results } from "../types.ts";
import { runSteps } from "../worker/steps.ts";

type Analyze = typeof analyze;

/** What a message to another process would leave of a value. */
const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** One file after the other, as a media process has one only. It is not watched: what crashes, hangs or grows takes the tests along. */
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

/** Analyzes the first and then every `count`-th file with `nth`, the others with `otherwise`. */
export function everyNth(count: number, nth: Analyze, otherwise: Analyze): Analyze {
  let fileCount = 0;
  return (options) => (fileCount++ % count === 0 ? nth : otherwise)(options);
}
