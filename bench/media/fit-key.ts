/** Fits the weights of `server/media/music/key.ts` to the tuning songs and prints them, with the accuracy and the honesty of the confidence on progressions left out. */
import { CHROMA_RATE, ChromaSink } from "../../server/media/music/chroma.ts";
import { collectKeyEvidence } from "../../server/media/music/key-evidence.ts";
import { BLENDED } from "../../server/media/music/key-profiles.ts";
import { computeKeyFeatures, FEATURES } from "../../server/media/music/key.ts";
import { createChordSongs, renderChordSong } from "../../server/media/testing/chord-songs.ts";
import { tuningSet } from "../../server/media/testing/labeled.ts";
import { type Mode, renderSong } from "../../server/media/testing/song.ts";
import { computeProbabilities, fitFolds, fitWeights, type LabeledChoice } from "./conditional-logit.ts";

const VERSIONS = Number(process.argv[2] ?? 2);
const SONGS_PER_STYLE = Number(process.argv[3] ?? 12);
const RIDGE = Number(process.argv[4] ?? 0.002);
const FOLD_COUNT = 4;
const SEED = 5_003;
const BINS = [0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01];

interface KeyChoice extends LabeledChoice {
  mode: Mode;
}

function createChoice(samples: Float32Array, { group, tonic, mode }: { group: string; tonic: number; mode: Mode }): KeyChoice {
  const sink = new ChromaSink();
  sink.push(samples, samples.length);
  const { keys } = collectKeyEvidence(sink.frames, BLENDED)!;
  return { group, weight: 1, mode, features: keys.map(computeKeyFeatures), correctIndex: keys.findIndex((key) => key.tonic === tonic && key.mode === mode) };
}

const choices: KeyChoice[] = [
  ...createChordSongs(VERSIONS, SEED).map((song) => createChoice(renderChordSong(song, CHROMA_RATE), { ...song, group: song.progression })),
  ...tuningSet(SONGS_PER_STYLE).map(({ plan, tonic, mode }) => createChoice(renderSong(plan, CHROMA_RATE), { group: plan.style.name, tonic, mode })),
];
const results = fitFolds(choices, RIDGE, FOLD_COUNT).flatMap(({ weights, leftOut }) =>
  leftOut.map(({ features, correctIndex, mode }) => {
    const probabilities = computeProbabilities(features, weights);
    const confidence = Math.max(...probabilities);
    return { mode, confidence, isRight: probabilities.indexOf(confidence) === correctIndex };
  }),
);
const summarize = (part: typeof results) => ({ songs: part.length, right: part.filter(({ isRight }) => isRight).length });
console.log("Songs whose progressions or styles were left out of the fit:");
console.table({
  major: summarize(results.filter(({ mode }) => mode === "major")),
  minor: summarize(results.filter(({ mode }) => mode === "minor")),
  ...Object.fromEntries(
    BINS.slice(1).map((to, n) => [
      `confidence ${BINS[n]} to ${Math.min(1, to)}`,
      summarize(results.filter(({ confidence }) => confidence >= BINS[n]! && confidence < to)),
    ]),
  ),
});
const weights = fitWeights(choices, RIDGE);
for (const [k, [name, , , mode]] of FEATURES.entries()) console.log(`${weights[k]!.toFixed(2)} ${name}${mode ? ` (${mode})` : ""}`);
