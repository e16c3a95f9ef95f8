/** What the service and the media process say to each other. */
import type { WireFailure } from "../failure.ts";
import type { Progress, StepDone, AnalysisRequest } from "../types.ts";

export interface Job {
  input: string;
  /** Folder that exists; everything made is put there under fixed names. */
  outputs: string;
  request: AnalysisRequest;
}

/** Where the steps tell what they have done. */
export interface Reporter {
  done(step: StepDone): void;
  progress(progress: Progress): void;
}

export type ChildMessage =
  | { type: "progress"; progress: Progress; rss: number }
  | { type: "step"; done: StepDone }
  | { type: "finished" }
  | { type: "failed"; failure: WireFailure };
