/** Labels audio with a zero-shot model, and returns a state instead of labels when no model is available. */
import { MIN_SCORE, DEFAULT_LABELS, MAX_LABELS, HYPOTHESIS_TEMPLATES } from "./lists.ts";
import { LABEL_GROUPS, type LabelGroup, type LabelOptions, type Labels, type ScoredLabel } from "./types.ts";

/** Sample rate that CLAP models expect. */
export const LABEL_RATE = 48_000;
export const WINDOW_SECONDS = 10;

/** Returns label scores for one window of mono audio at `LABEL_RATE`. */
export type Classifier = (audio: Float32Array, labels: string[], options: { hypothesis_template: string }) => Promise<{ label: string; score: number }[]>;

interface Transformers {
  env: { allowRemoteModels: boolean; allowLocalModels: boolean; localModelPath: string; cacheDir: string };
  pipeline(task: string, model: string, options: { local_files_only: boolean; progress_callback: () => void }): Promise<unknown>;
}

export class PackageNotInstalledError extends Error {}

/** Loads the optional package, which most installations do not have. Throws `PackageNotInstalledError` if it is missing. */
export async function loadClassifier(
  options: LabelOptions,
  onProgress: () => void,
  importPackage: () => Promise<unknown> = () => import("@huggingface/transformers"),
): Promise<Classifier> {
  let library: Transformers;
  try {
    library = (await importPackage()) as Transformers;
  } catch (error) {
    if (/^ERR_(MODULE_NOT_FOUND|PACKAGE_PATH)/.test((error as NodeJS.ErrnoException).code ?? "")) throw new PackageNotInstalledError();
    throw error;
  }
  const remote = options.allowRemoteModels === true;
  library.env.allowRemoteModels = remote;
  library.env.allowLocalModels = true;
  if (options.cacheFolder) library.env.cacheDir = options.cacheFolder;
  if (options.modelFolder) library.env.localModelPath = options.modelFolder;
  return (await library.pipeline("zero-shot-audio-classification", options.model, { local_files_only: !remote, progress_callback: onProgress })) as Classifier;
}

const emptyLabels = (state: Labels["state"], reason: string): Labels => ({ state, reason, genres: [], moods: [], instruments: [] });

/**
 * Scores all label groups over `windows` and averages the scores. Calls `onProgress` while loading and before each
 * classification. Never throws: a model that fails to load is a state, not a failed file.
 */
export async function labelWindows(
  windows: readonly Float32Array[],
  options: LabelOptions | undefined,
  onProgress: () => void,
  load: (options: LabelOptions, onProgress: () => void) => Promise<Classifier> = loadClassifier,
): Promise<Labels> {
  if (!options || (options.modelFolder === null && options.allowRemoteModels !== true)) return emptyLabels("no-model", "No tagging model is installed.");
  if (windows.length === 0) return emptyLabels("failed", "The file is too short to be tagged.");
  try {
    const classify = await load(options, onProgress);
    const labels = emptyLabels("labeled", "");
    const reportingClassifier: Classifier = (...args) => (onProgress(), classify(...args));
    for (const group of LABEL_GROUPS) labels[group] = await scoreGroup(reportingClassifier, windows, group, options.groups?.[group] ?? DEFAULT_LABELS[group]);
    return labels;
  } catch (error) {
    if (error instanceof PackageNotInstalledError)
      return emptyLabels("not-installed", `A tagging model is configured, but the package it needs is not installed: npm run admin -- install-model`);
    return emptyLabels("failed", `The tagging model could not be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function scoreGroup(classify: Classifier, windows: readonly Float32Array[], group: LabelGroup, labels: readonly string[]): Promise<ScoredLabel[]> {
  const sums = new Map(labels.map((label) => [label, 0]));
  for (const window of windows) {
    for (const { label, score } of await classify(window, [...labels], { hypothesis_template: HYPOTHESIS_TEMPLATES[group] })) {
      if (sums.has(label) && Number.isFinite(score)) sums.set(label, sums.get(label)! + Math.min(1, Math.max(0, score)));
    }
  }
  return [...sums]
    .map(([label, sum]): ScoredLabel => [label, Number((sum / windows.length).toFixed(4))])
    .filter(([, score]) => score >= MIN_SCORE)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, MAX_LABELS);
}
