/** Messages between the service and the media process. */
import type { WireFailure } from "../failure.ts";
import type { Progress, StepDone, AnalysisRequest } from "../types.ts";

export interface Job {
  input: string;
  /** Existing folder. All results are written there under fixed names. */
  outputs: string;
  request: AnalysisRequest;
  /** Writes the middle square of a picture in these side lengths instead of running steps. */
  squares?: { sides: readonly number[]; maxPixels: number };
}

/** Returns the name of the file with a square picture. */
export const squareName = (side: number): string => `square-${side}.webp`;

/** Receives the results and progress of the steps. */
export interface Reporter {
  done(step: StepDone): void;
  progress(progress: Progress): void;
}

export type ChildMessage =
  | { type: "progress"; progress: Progress; rss: number | null }
  | { type: "step"; done: StepDone }
  | { type: "finished" }
  | { type: "failed"; failure: WireFailure };
