/** Fits the weights of `server/media/music/octave.ts` to the tuning songs and prints them, with the accuracy on styles left out. */
import { findTempoCandidates } from "../../server/media/music/candidates.ts";
import { FEATURES, computeFeatures } from "../../server/media/music/octave.ts";
import { ONSET_RATE, OnsetSink } from "../../server/media/music/onset.ts";
import { analyzeRhythm } from "../../server/media/music/rhythm.ts";
import { type LabeledSong, mixedTuningSet, sparseTuningSet, tuningSet } from "../../server/media/testing/labeled.ts";
import { renderSong } from "../../server/media/testing/song.ts";
import { computeProbabilities, fitFolds, fitWeights, type LabeledChoice } from "./conditional-logit.ts";

const SONGS_PER_STYLE = Number(process.argv[2] ?? 12);
const RIDGE = Number(process.argv[3] ?? 0.05);
/** Factor on the weights, because the ridge makes the probabilities too cautious. Calibrated on held-out styles. */
const SHARPENING = 1.5;
const FOLD_COUNT = 7;

interface TempoChoice extends LabeledChoice {
  trueBpm: number;
  bpm: number[];
}

const isNear = (estimate: number, trueBpm: number): boolean => Math.abs(estimate / trueBpm - 1) < 0.02;

const groupOf = ({ style }: LabeledSong["plan"]): string => style.name.split(",")[0]!;

function createChoice({ plan, bpm }: LabeledSong): TempoChoice {
  const sink = new OnsetSink();
  const samples = renderSong(plan, ONSET_RATE);
  sink.push(samples, samples.length);
  const rhythm = analyzeRhythm(sink.finish());
  const candidates = findTempoCandidates(rhythm.autocorrelation);
  return {
    group: groupOf(plan),
    // All styles weigh the same, however many songs they have.
    weight: 1 / songsOf[groupOf(plan)]!.length,
    trueBpm: bpm!,
    bpm: candidates,
    features: computeFeatures(rhythm, candidates),
    correctIndex: candidates.findIndex((candidate) => isNear(candidate, bpm!)),
  };
}

function countExact(choices: readonly TempoChoice[], weights: readonly number[]): number {
  return choices.filter(({ features, bpm, trueBpm }) => {
    const probabilities = computeProbabilities(features, weights);
    return isNear(bpm[probabilities.indexOf(Math.max(...probabilities))] ?? 0, trueBpm);
  }).length;
}

const songs = [...tuningSet(SONGS_PER_STYLE), ...sparseTuningSet(10), ...mixedTuningSet(3)].filter(({ bpm }) => bpm !== null);
const songsOf = Object.groupBy(songs, ({ plan }) => groupOf(plan));
const choices = songs.map(createChoice);
const leftOutExact = fitFolds(choices, RIDGE, FOLD_COUNT).reduce((sum, { weights, leftOut }) => sum + countExact(leftOut, weights), 0);
const weights = fitWeights(choices, RIDGE);
console.log(`${choices.length} songs, exact: ${countExact(choices, weights)}, of styles left out: ${leftOutExact}`);
for (const [k, [name]] of FEATURES.entries()) console.log(`${(SHARPENING * weights[k]!).toFixed(2)} ${name}`);
