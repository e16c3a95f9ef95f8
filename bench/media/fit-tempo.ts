/** Fits the weights of `server/media/music/octave.ts` to the tuning songs and prints them; tells how well styles do that were left out. */
import { candidates } from "../../server/media/music/candidates.ts";
import { FEATURES, features } from "../../server/media/music/octave.ts";
import { ONSET_RATE, OnsetSink } from "../../server/media/music/onset.ts";
import { rhythmOf } from "../../server/media/music/rhythm.ts";
import { type Labelled, mixedTuningSet, sparseTuningSet, tuningSet } from "../../server/media/testing/labelled.ts";
import { renderSong } from "../../server/media/testing/song.ts";

const EACH = Number(process.argv[2] ?? 12);
/** Cost of squared weights: no relation may dominate. */
const RIDGE = Number(process.argv[3] ?? 0.05);
/** The ridge makes chances too cautious; so much steeper they are right most often for styles left out. */
const STEEPER = 1.5;
const ROUNDS = 400;
const RATE = 0.08;
const PARTS = 7;

interface Choice {
  style: string;
  real: number;
  bpm: number[];
  /** Features of every candidate. */
  of: number[][];
  right: number;
}

const near = (found: number, real: number): boolean => Math.abs(found / real - 1) < 0.02;

function choiceOf({ plan, bpm }: Labelled): Choice {
  const sink = new OnsetSink();
  const samples = renderSong(plan, ONSET_RATE);
  sink.push(samples, samples.length);
  const rhythm = rhythmOf(sink.finish());
  const found = candidates(rhythm.repeats);
  return {
    style: plan.style.name.split(",")[0]!,
    real: bpm!,
    bpm: found,
    of: features(rhythm, found),
    right: found.findIndex((one) => near(one, bpm!)),
  };
}

/** How far every feature spreads between the candidates of a song. */
function spreads(choices: readonly Choice[]): number[] {
  return FEATURES.map((_, k) => {
    let sum = 0;
    let count = 0;
    for (const { of } of choices) {
      const mean = of.reduce((all, one) => all + one[k]!, 0) / of.length;
      for (const one of of) sum += (one[k]! - mean) ** 2;
      count += of.length;
    }
    return Math.sqrt(sum / count);
  });
}

function chances(of: readonly number[][], weights: readonly number[]): number[] {
  const sums = of.map((one) => Math.exp(one.reduce((sum, value, k) => sum + value * weights[k]!, 0)));
  const all = sums.reduce((a, b) => a + b, 0);
  return sums.map((value) => value / all);
}

/** Conditional logistic regression: the right one of the candidates; every style counts the same. Adam over all songs at once. */
function fit(all: readonly Choice[]): number[] {
  const spread = spreads(all);
  const choices = all.filter(({ right }) => right >= 0).map((choice) => ({ ...choice, of: choice.of.map((one) => one.map((value, k) => value / spread[k]!)) }));
  const styles = Map.groupBy(choices, ({ style }) => style);
  const weights = FEATURES.map(() => 0);
  const mean = FEATURES.map(() => 0);
  const square = FEATURES.map(() => 0);
  for (let round = 1; round <= ROUNDS; round++) {
    const slope = weights.map((weight) => RIDGE * weight);
    for (const { of, right, style } of choices) {
      const share = 1 / styles.get(style)!.length / styles.size;
      for (const [c, chance] of chances(of, weights).entries()) {
        const off = (chance - (c === right ? 1 : 0)) * share;
        for (const [k, value] of of[c]!.entries()) slope[k]! += off * value;
      }
    }
    const rate = round > ROUNDS * 0.7 ? RATE / 5 : RATE;
    for (const [k, value] of slope.entries()) {
      mean[k] = 0.9 * mean[k]! + 0.1 * value;
      square[k] = 0.99 * square[k]! + 0.01 * value * value;
      weights[k]! -= (rate * mean[k]) / (1 - 0.9 ** round) / (Math.sqrt(square[k] / (1 - 0.99 ** round)) + 1e-8);
    }
  }
  return weights.map((weight, k) => weight / spread[k]!);
}

function exact(choices: readonly Choice[], weights: readonly number[]): number {
  return choices.filter(({ of, bpm, real }) => {
    const found = chances(of, weights);
    return near(bpm[found.indexOf(Math.max(...found))] ?? 0, real);
  }).length;
}

const songs = [...tuningSet(EACH), ...sparseTuningSet(10), ...mixedTuningSet(3)].filter(({ bpm }) => bpm !== null);
const choices = songs.map(choiceOf);
const styles = [...new Set(choices.map(({ style }) => style))];
let leftOut = 0;
for (let part = 0; part < PARTS; part++) {
  const out = new Set(styles.filter((_, n) => n % PARTS === part));
  const weights = fit(choices.filter(({ style }) => !out.has(style)));
  leftOut += exact(
    choices.filter(({ style }) => out.has(style)),
    weights,
  );
}
const weights = fit(choices);
console.log(`${choices.length} songs, exact: ${exact(choices, weights)}, of styles left out: ${leftOut}`);
for (const [k, [name]] of FEATURES.entries()) console.log(`${(STEEPER * weights[k]!).toFixed(2)} ${name}`);
