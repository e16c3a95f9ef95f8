/** The door to this room: hand in a path and a wish, get facts and files back. */
import type { Progress, Results, StepDone, AnalysisRequest } from "./types.ts";
import { type Limits as MediaLimits, supervise } from "./worker/supervise.ts";

export type { MediaLimits };

export interface AnalyzeOptions {
  /** Readable file; its name is never looked at. */
  input: string;
  /** Existing folder of this job alone; `peaks-*.dat`, `copy.*`, `thumbnail.*` and `stills.jpg` are written into it. */
  outputs: string;
  request: AnalysisRequest;
  limits?: Partial<MediaLimits>;
  /** Ends the media process at once; the promise rejects with the code `aborted`. */
  signal?: AbortSignal;
  /** At most five times a second, `share` never goes back. */
  onProgress?(progress: Progress): void;
  /** As each step ends: what is recorded here need not be wished again after a failure of a later step. */
  onStep?(done: StepDone): void;
  onStart?(pid: number): void;
}

/**
 * Runs the wished steps on one file in a process of its own. Steps that do not apply to the file's kind are absent from
 * the answer. Rejects with a `MediaFailure` only; the files of steps that were reported stay valid, the folder may hold
 * parts of others.
 */
export async function analyze({ input, outputs, request, limits, signal, onProgress, onStep, onStart }: AnalyzeOptions): Promise<Results> {
  const results: Results = {};
  let share = 0;
  await supervise(
    { input, outputs, request },
    {
      ...(limits ? { limits } : {}),
      ...(signal ? { signal } : {}),
      ...(onStart ? { onStart } : {}),
      onMessage(message) {
        if (message.type === "progress") {
          share = Math.max(share, message.progress.share);
          onProgress?.({ ...message.progress, share });
        } else if (message.type === "step") {
          Object.assign(results, { [message.done.step]: message.done.value });
          onStep?.(message.done);
        }
      },
    },
  );
  return results;
}
