/** Runs steps and analyzes files inside the test process, which yields the same results and avoids a process start per file. */
import type { analyze } from "../analyze.ts";
import { fromWire, toWire } from "../failure.ts";
import type { AnalysisRequest, Results, Step, StepDone } from "../types.ts";
import type { Job } from "../worker/messages.ts";
import { runSteps } from "../worker/steps.ts";

type Analyze = typeof analyze;

/** Runs one job and collects the results of its steps, as `receive` returns them. */
async function runJob(job: Job, receive: (step: StepDone) => StepDone = (step) => step): Promise<Results> {
  const results: Results = {};
  const done = (completedStep: StepDone): void => {
    const { step, value } = receive(completedStep);
    Object.assign(results, { [step]: value });
  };
  await runSteps(job, { done, progress() {} });
  return results;
}

export const runStepsInProcess = (input: string, outputs: string, steps: readonly Step[], options: Omit<AnalysisRequest, "steps"> = {}): Promise<Results> =>
  runJob({ input, outputs, request: { steps, ...options } });

/** Copies a value through JSON, as a message to another process would. */
const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Analyzes one file at a time, as a media process does. Without supervision, a crash, hang or memory leak affects the tests. */
export function analyzeInProcess(): Analyze {
  let last: Promise<unknown> = Promise.resolve();
  const run: Analyze = async ({ input, outputs, request, onStep }) => {
    try {
      return await runJob({ input, outputs, request }, (step) => {
        const received = throughJson(step);
        onStep?.(received);
        return received;
      });
    } catch (error) {
      throw fromWire(throughJson(toWire(error)));
    }
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
