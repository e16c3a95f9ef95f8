/** Types for genre, mood and instrument labels, and the state when there are none. */

export interface LabelOptions {
  /** Folder with the model files installed by the operator, or null if none. */
  modelFolder: string | null;
  /** Name of the model inside that folder, or its remote name if remote models are allowed. */
  model: string;
  allowRemoteModels?: boolean;
  /** Folder for the files of a remote model; the package's own by default. */
  cacheFolder?: string;
  /** Candidate labels per group. A missing group uses the default list. */
  groups?: Partial<Record<LabelGroup, readonly string[]>>;
}

export const LABEL_GROUPS = ["genres", "moods", "instruments"] as const;
export type LabelGroup = (typeof LABEL_GROUPS)[number];

/** `[label, score]`, score 0..1, descending. */
export type ScoredLabel = [label: string, score: number];

export interface Labels {
  state: "labeled" | "no-model" | "not-installed" | "failed";
  /** Explanation for people. Empty when labeled. */
  reason: string;
  genres: ScoredLabel[];
  moods: ScoredLabel[];
  instruments: ScoredLabel[];
}
