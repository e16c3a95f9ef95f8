/** Fits the weights of `server/media/music/octave.ts` to the tuning songs and prints them, with the accuracy on held-out styles. */
import { findTempoCandidates } from "../../server/media/music/candidates.ts";
import { FEATURES, computeFeatures } from "../../server/media/music/octave.ts";
import { ONSET_RATE, OnsetSink } from "../../server/media/music/onset.ts";
import { analyzeRhythm } from "../../server/media/music/rhythm.ts";
import { type LabeledSong, mixedTuningSet, sparseTuningSet, tuningSet } from "../../server/media/testing/labeled.ts";
import { renderSong } from "../../server/media/testing/song.ts";

const SONGS_PER_STYLE = Number(process.argv[2] ?? 12);
/** Cost of squared weights, so that no feature dominates. */
const RIDGE = Number(process.argv[3] ?? 0.05);
/** Factor on the weights, because the ridge makes the probabilities too cautious. Calibrated on held-out styles. */
const SHARPENING = 1.5;
const ROUNDS = 400;
const LEARNING_RATE = 0.08;
const FOLD_COUNT = 7;

interface TrainingExample {
  style: string;
  trueBpm: number;
  bpm: number[];
  /** Feature values of every candidate. */
  features: number[][];
  correctIndex: number;
}

const isNear = (estimate: number, trueBpm: number): boolean => Math.abs(estimate / trueBpm - 1) < 0.02;

function createExample({ plan, bpm }: LabeledSong): TrainingExample {
  const sink = new OnsetSink();
  const samples = renderSong(plan, ONSET_RATE);
  sink.push(samples, samples.length);
  const rhythm = analyzeRhythm(sink.finish());
  const candidates = findTempoCandidates(rhythm.autocorrelation);
  return {
    style: plan.style.name.split(",")[0]!,
    trueBpm: bpm!,
    bpm: candidates,
    features: computeFeatures(rhythm, candidates),
    correctIndex: candidates.findIndex((candidate) => isNear(candidate, bpm!)),
  };
}

/** Returns the standard deviation of every feature between the candidates of a song. */
function computeSpreads(examples: readonly TrainingExample[]): number[] {
  return FEATURES.map((_, k) => {
    let sum = 0;
    let count = 0;
    for (const { features } of examples) {
      const mean = features.reduce((all, row) => all + row[k]!, 0) / features.length;
      for (const row of features) sum += (row[k]! - mean) ** 2;
      count += features.length;
    }
    return Math.sqrt(sum / count);
  });
}

function computeProbabilities(features: readonly number[][], weights: readonly number[]): number[] {
  const sums = features.map((row) => Math.exp(row.reduce((sum, value, k) => sum + value * weights[k]!, 0)));
  const all = sums.reduce((a, b) => a + b, 0);
  return sums.map((value) => value / all);
}

/** Fits a conditional logistic regression (which candidate is right) with equal weight per style, by full-batch Adam. */
function fit(all: readonly TrainingExample[]): number[] {
  const spread = computeSpreads(all);
  const examples = all
    .filter(({ correctIndex }) => correctIndex >= 0)
    .map((example) => ({ ...example, features: example.features.map((row) => row.map((value, k) => value / spread[k]!)) }));
  const styles = Map.groupBy(examples, ({ style }) => style);
  const weights = FEATURES.map(() => 0);
  const mean = FEATURES.map(() => 0);
  const square = FEATURES.map(() => 0);
  for (let round = 1; round <= ROUNDS; round++) {
    const gradient = weights.map((weight) => RIDGE * weight);
    for (const { features, correctIndex, style } of examples) {
      const share = 1 / styles.get(style)!.length / styles.size;
      for (const [c, probability] of computeProbabilities(features, weights).entries()) {
        const error = (probability - (c === correctIndex ? 1 : 0)) * share;
        for (const [k, value] of features[c]!.entries()) gradient[k]! += error * value;
      }
    }
    const rate = round > ROUNDS * 0.7 ? LEARNING_RATE / 5 : LEARNING_RATE;
    for (const [k, value] of gradient.entries()) {
      mean[k] = 0.9 * mean[k]! + 0.1 * value;
      square[k] = 0.99 * square[k]! + 0.01 * value * value;
      weights[k]! -= (rate * mean[k]) / (1 - 0.9 ** round) / (Math.sqrt(square[k] / (1 - 0.99 ** round)) + 1e-8);
    }
  }
  return weights.map((weight, k) => weight / spread[k]!);
}

function countExact(examples: readonly TrainingExample[], weights: readonly number[]): number {
  return examples.filter(({ features, bpm, trueBpm }) => {
    const probabilities = computeProbabilities(features, weights);
    return isNear(bpm[probabilities.indexOf(Math.max(...probabilities))] ?? 0, trueBpm);
  }).length;
}

const songs = [...tuningSet(SONGS_PER_STYLE), ...sparseTuningSet(10), ...mixedTuningSet(3)].filter(({ bpm }) => bpm !== null);
const examples = songs.map(createExample);
const styles = [...new Set(examples.map(({ style }) => style))];
let heldOutExact = 0;
for (let fold = 0; fold < FOLD_COUNT; fold++) {
  const heldOutStyles = new Set(styles.filter((_, n) => n % FOLD_COUNT === fold));
  const weights = fit(examples.filter(({ style }) => !heldOutStyles.has(style)));
  heldOutExact += countExact(
    examples.filter(({ style }) => heldOutStyles.has(style)),
    weights,
  );
}
const weights = fit(examples);
console.log(`${examples.length} songs, exact: ${countExact(examples, weights)}, of styles left out: ${heldOutExact}`);
for (const [k, [name]] of FEATURES.entries()) console.log(`${(SHARPENING * weights[k]!).toFixed(2)} ${name}`);
