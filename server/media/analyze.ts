/** Entry point of the media module: analyzes one file in a separate process and returns facts and result files. */
import type { Progress, Results, StepDone, AnalysisRequest } from "./types.ts";
import type { MediaSandbox } from "./worker/sandbox.ts";
import { type MediaLimits, supervise } from "./worker/supervise.ts";

export type { MediaLimits };

export interface AnalyzeOptions {
  /** Path of a readable file. The analysis ignores the file name. */
  input: string;
  /** Existing folder used by this job only. Receives `peaks-*.dat`, `copy.*`, `thumbnail.*` and `stills.jpg`. */
  outputs: string;
  request: AnalysisRequest;
  limits?: Partial<MediaLimits>;
  sandbox?: MediaSandbox | null;
  /** Kills the media process immediately. The promise rejects with the code `aborted`. */
  signal?: AbortSignal;
  /** Called at most five times per second. `share` never decreases. */
  onProgress?(progress: Progress): void;
  /** Called as each step ends. After a later step fails, a retry does not need to request the recorded steps again. */
  onStep?(done: StepDone): void;
  onStart?(pid: number): void;
}

/**
 * Runs the requested steps on one file in a separate process. Steps that do not apply to the kind of file are absent
 * from the results. Rejects only with a `MediaFailure`. Files of reported steps stay valid then, and the folder may
 * contain partial files of other steps.
 */
export async function analyze({ input, outputs, request, limits, sandbox, signal, onProgress, onStep, onStart }: AnalyzeOptions): Promise<Results> {
  const results: Results = {};
  let share = 0;
  await supervise(
    { input, outputs, request },
    {
      ...(limits ? { limits } : {}),
      ...(sandbox ? { sandbox } : {}),
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
