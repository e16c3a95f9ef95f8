/** Tempi that explain how an onset curve repeats itself, with their halves, doubles and thirds: what `octave.ts` chooses from. */
import { at, lagOf, MOST_BEATS, near, type Repetitions, SLOWEST_BPM } from "./rhythm.ts";

const FASTEST_BPM = 212;
const GRID = 1.01;
/** Where most music lives. */
const USUAL_BPM = 128;

/**
 * How much each relation of the onset curve to itself speaks for a beat of that length. Weights of a logistic regression
 * over the labeled tuning songs, strongly regularized, rounded; judged on other songs (docs/media-measurements.md).
 * The first number of a pair is the lag in beats: halves and thirds of a beat, a dotted beat, one to four beats.
 */
const WEIGHTS: readonly [beats: number, all: number, low: number][] = [
  [1 / 3, -0.06, -0.07],
  [1 / 2, 0.42, -0.1],
  [2 / 3, -0.1, -0.08],
  [1, 0.52, 0.42],
  [3 / 2, 0.34, 0],
  [2, 0.48, 0.28],
  [3, 0.16, 0.24],
  [4, 0.27, 0.38],
];
/** Cost of every squared octave away from the usual tempo. */
const PRIOR = 0.48;

/** Relatives that are looked at for the first, second, ... peak; peaks further down are not. */
const RELATIVES: readonly (readonly number[])[] = [[1, 2, 1 / 2, 3 / 2, 2 / 3, 3, 1 / 3, 4, 1 / 4], [1, 2, 1 / 2], [1], [1]];
/** Two tempi closer than this are one. */
const SAME = 0.03;

interface Peak {
  bpm: number;
  score: number;
}

function score({ all, low }: Repetitions, bpm: number): number {
  const lag = lagOf(bpm);
  let sum = 0;
  for (const [beats, forAll, forLow] of WEIGHTS) {
    sum += forAll * near(all, beats * lag);
    if (forLow !== 0) sum += forLow * near(low, beats * lag);
  }
  const octaves = Math.log2(bpm / USUAL_BPM);
  return sum - PRIOR * octaves * octaves;
}

/** Tempi that score higher than their neighbors, best first; which octave of a tempo comes first says little. */
export function peaks(repeats: Repetitions): Peak[] {
  const all: Peak[] = [];
  for (let bpm = SLOWEST_BPM; bpm <= FASTEST_BPM; bpm *= GRID) all.push({ bpm, score: score(repeats, bpm) });
  return all
    .filter(({ score: value }, i) => value > 0 && value >= (all[i - 1]?.score ?? 0) && value > (all[i + 1]?.score ?? 0))
    .toSorted((a, b) => b.score - a.score);
}

/** Many beats later a small error is a large one: the lag is sharpened over up to 16 beats. */
function refine(all: Float64Array, rough: number): number {
  let best = rough;
  let most = -Infinity;
  for (let factor = 0.985; factor <= 1.015; factor += 0.0005) {
    let sum = 0;
    for (let beats = 1; beats <= MOST_BEATS; beats++) sum += at(all, lagOf(rough * factor) * beats);
    if (sum > most) {
      most = sum;
      best = rough * factor;
    }
  }
  return best;
}

/** The best peaks and their relatives, sharpened. */
export function candidates(repeats: Repetitions): number[] {
  const out: number[] = [];
  const found = peaks(repeats);
  for (const [rank, relatives] of RELATIVES.entries()) {
    const peak = found[rank];
    if (!peak) break;
    const base = refine(repeats.all, peak.bpm);
    for (const times of relatives) {
      const bpm = base * times;
      if (bpm >= SLOWEST_BPM && bpm <= FASTEST_BPM && !out.some((other) => Math.abs(other / bpm - 1) < SAME)) out.push(bpm);
    }
  }
  return out;
}
