/** Genres, moods and instruments: what a tagging model may say, and why it may say nothing. */

export interface LabelOptions {
  /** Folder with the model's files that the operator installed; null: none. */
  modelFolder: string | null;
  /** Name of the model inside that folder (or at its public home, when remote models are allowed). */
  model: string;
  allowRemoteModels?: boolean;
  /** Candidate labels of each group; the standard lists when absent. */
  groups?: Partial<Record<LabelGroup, readonly string[]>>;
}

export const LABEL_GROUPS = ["genres", "moods", "instruments"] as const;
export type LabelGroup = (typeof LABEL_GROUPS)[number];

/** `[label, score]`, score 0..1, descending. */
export type ScoredLabel = [label: string, score: number];

export interface Labels {
  state: "labeled" | "no-model" | "not-installed" | "failed";
  /** For people; empty when labeled. */
  reason: string;
  genres: ScoredLabel[];
  moods: ScoredLabel[];
  instruments: ScoredLabel[];
}
