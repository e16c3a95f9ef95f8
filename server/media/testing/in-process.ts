/** Files looked into by the process of the tests: what comes out is the same, and starting a process takes longer than most files do. */
import type { analyse } from "../analyse.ts";
import { fromWire, toWire } from "../failure.ts";
import type { Results } from "../types.ts";
import { runSteps } from "../worker/steps.ts";

type Analyse = typeof analyse;

/** What a message to another process would leave of a value. */
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** One file after the other, as a media process has one only. It is not watched: what crashes, hangs or grows takes the tests along. */
export function analyseInProcess(): Analyse {
  let last: Promise<unknown> = Promise.resolve();
  const look: Analyse = async ({ input, outputs, wish, onStep }) => {
    const results: Results = {};
    try {
      await runSteps(
        { input, outputs, wish },
        {
          done(step) {
            const done = sent(step);
            Object.assign(results, { [done.step]: done.value });
            onStep?.(done);
          },
          progress() {},
        },
      );
    } catch (error) {
      throw fromWire(sent(toWire(error)));
    }
    return results;
  };
  return (options) => {
    const mine = last.then(() => look(options));
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** Analyzes the first and then every `count`-th file with `nth`, the others with `otherwise`. */
export function everyNth(count: number, nth: Analyse, otherwise: Analyse): Analyse {
  let files = 0;
  return (options) => (files++ % count === 0 ? nth : otherwise)(options);
}
