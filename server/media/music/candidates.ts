/** Finds tempo candidates from the autocorrelation of the onset curve, with their halves, doubles and thirds, for `octave.ts`. */
import { interpolate, beatLag, MAX_BEATS, maxNear, type Autocorrelation, MIN_BPM } from "./rhythm.ts";

const MAX_BPM = 212;
const BPM_STEP_RATIO = 1.01;
/** Tempo around which most music lies. */
const CANDIDATE_PRIOR_BPM = 128;

/**
 * Weight of each autocorrelation lag as evidence for a beat length. The weights come from a strongly regularized
 * logistic regression over the labeled tuning songs, rounded, and are evaluated on other songs
 * (docs/media-measurements.md). The first number is the lag in beats: halves and thirds of a beat, a dotted beat, one to
 * four beats.
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
/** Cost per squared octave of distance from the typical tempo. */
const TEMPO_PRIOR_WEIGHT = 0.48;

/** Tempo ratios tried for the first, second, ... peak. Lower-ranked peaks are ignored. */
const RELATIVES: readonly (readonly number[])[] = [[1, 2, 1 / 2, 3 / 2, 2 / 3, 3, 1 / 3, 4, 1 / 4], [1, 2, 1 / 2], [1], [1]];
/** Tempi within this relative distance count as one. */
const SAME_TEMPO_TOLERANCE = 0.03;

interface Peak {
  bpm: number;
  score: number;
}

function score({ all, low }: Autocorrelation, bpm: number): number {
  const lag = beatLag(bpm);
  let sum = 0;
  for (const [beats, allWeight, lowWeight] of WEIGHTS) {
    sum += allWeight * maxNear(all, beats * lag);
    if (lowWeight !== 0) sum += lowWeight * maxNear(low, beats * lag);
  }
  const octaves = Math.log2(bpm / CANDIDATE_PRIOR_BPM);
  return sum - TEMPO_PRIOR_WEIGHT * octaves * octaves;
}

/** Returns tempi that score higher than their neighbors, best first. Half or double the best one may be right instead; `octave.ts` decides. */
export function findTempoPeaks(autocorrelation: Autocorrelation): Peak[] {
  const all: Peak[] = [];
  for (let bpm = MIN_BPM; bpm <= MAX_BPM; bpm *= BPM_STEP_RATIO) all.push({ bpm, score: score(autocorrelation, bpm) });
  return all
    .filter(({ score: value }, i) => value > 0 && value >= (all[i - 1]?.score ?? 0) && value > (all[i + 1]?.score ?? 0))
    .toSorted((a, b) => b.score - a.score);
}

/** Refines the lag over up to 16 beats, because a small error grows with every beat. */
function refineTempo(all: Float64Array, rough: number): number {
  let best = rough;
  let maxSum = -Infinity;
  for (let factor = 0.985; factor <= 1.015; factor += 0.0005) {
    let sum = 0;
    for (let beats = 1; beats <= MAX_BEATS; beats++) sum += interpolate(all, beatLag(rough * factor) * beats);
    if (sum > maxSum) {
      maxSum = sum;
      best = rough * factor;
    }
  }
  return best;
}

/** Returns the best peaks and their related tempi, refined. */
export function findTempoCandidates(autocorrelation: Autocorrelation): number[] {
  const tempos: number[] = [];
  const peaks = findTempoPeaks(autocorrelation);
  for (const [rank, relatives] of RELATIVES.entries()) {
    const peak = peaks[rank];
    if (!peak) break;
    const base = refineTempo(autocorrelation.all, peak.bpm);
    for (const ratio of relatives) {
      const bpm = base * ratio;
      if (bpm >= MIN_BPM && bpm <= MAX_BPM && !tempos.some((other) => Math.abs(other / bpm - 1) < SAME_TEMPO_TOLERANCE)) tempos.push(bpm);
    }
  }
  return tempos;
}
