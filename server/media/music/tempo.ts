/** Tempo from the onset curve: which beat explains its repetitions best, and how sure one may be. */
import { autocorrelation } from "../signal/fft.ts";
import { FRAMES_PER_SECOND, type OnsetCurve } from "./onset.ts";

const SLOWEST = 50;
const FASTEST = 210;
const GRID = 1.01;
/** Where most music lives. */
const USUAL_BPM = 128;
/** The mean of this many seconds to both sides is taken off. */
const TREND_SECONDS = 0.5;
/** Below this the answer is "unsure". */
export const TEMPO_SURE = 0.5;
const SHORTEST_SECONDS = 4;
/** A beat is struck: the strongest onsets of drums, guitars, bowed strings rise by this much and more; vibrato does not. */
const STRUCK = 6.5;
const STRONGEST_SHARE = 0.97;
/** The tempo is found again in stretches of this length: a beat is there all the time, chance is not. */
const STRETCH_SECONDS = 12;
const STRETCH_HOP_SECONDS = 6;

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

export interface TempoGuess {
  bpm: number;
  /** Relative to the best one, 0..1. */
  strength: number;
}

export interface Tempo {
  /** Beats a minute; 0 when unsure. */
  bpm: number;
  /** 0..1; the beat is reported from `TEMPO_SURE` on. */
  confidence: number;
  /** Best ones first, whatever the confidence: what a person may choose from. */
  candidates: TempoGuess[];
}

const none = (): Tempo => ({ bpm: 0, confidence: 0, candidates: [] });

/** Onsets above the local mean, without their own mean. */
function flatten(curve: Float64Array): Float64Array {
  const reach = Math.round(TREND_SECONDS * FRAMES_PER_SECOND);
  const sums = new Float64Array(curve.length + 1);
  for (let i = 0; i < curve.length; i++) sums[i + 1] = sums[i]! + curve[i]!;
  const above = curve.map((value, i) => {
    const from = Math.max(0, i - reach);
    const to = Math.min(curve.length, i + reach + 1);
    return Math.max(0, value - (sums[to]! - sums[from]!) / (to - from));
  });
  const mean = above.reduce((a, b) => a + b, 0) / above.length;
  return above.map((value) => value - mean);
}

/** Value between two lags, 0 outside. */
function at(curve: Float64Array, lag: number): number {
  const low = Math.floor(lag);
  if (low < 0 || low + 1 >= curve.length) return 0;
  return curve[low]! + (curve[low + 1]! - curve[low]!) * (lag - low);
}

/** Highest value near a lag: the grid is coarse and people are not machines. */
const near = (curve: Float64Array, lag: number): number => Math.max(at(curve, lag), at(curve, lag * 0.995), at(curve, lag * 1.005));
const lagOf = (bpm: number): number => (60 * FRAMES_PER_SECOND) / bpm;

/** Both curves correlated with themselves, each with 1 at no lag. */
interface Repetition {
  all: Float64Array;
  low: Float64Array;
}

function repetition(curve: Float64Array, lags: number): Float64Array {
  const r = autocorrelation(curve, Math.min(lags, curve.length - 1));
  const scale = r[0]! > 0 ? 1 / r[0]! : 0;
  return r.map((value) => value * scale);
}

function score({ all, low }: Repetition, bpm: number): number {
  const lag = lagOf(bpm);
  let sum = 0;
  for (const [beats, forAll, forLow] of WEIGHTS) {
    sum += forAll * near(all, beats * lag);
    if (forLow !== 0) sum += forLow * near(low, beats * lag);
  }
  const octaves = Math.log2(bpm / USUAL_BPM);
  return sum - PRIOR * octaves * octaves;
}

function scores(from: Repetition): { bpm: number; score: number }[] {
  const out = [];
  for (let bpm = SLOWEST; bpm <= FASTEST; bpm *= GRID) out.push({ bpm, score: score(from, bpm) });
  return out;
}

/** Many beats later a small error is a large one: the lag is sharpened over up to 16 beats. */
function refine(all: Float64Array, rough: number): number {
  let best = rough;
  let most = -Infinity;
  for (let factor = 0.985; factor <= 1.015; factor += 0.0005) {
    let sum = 0;
    for (let beats = 1; beats <= 16; beats++) sum += at(all, lagOf(rough * factor) * beats);
    if (sum > most) {
      most = sum;
      best = rough * factor;
    }
  }
  return best;
}

const sameBeat = (a: number, b: number): boolean => [1, 2, 0.5, 3, 1 / 3].some((times) => Math.abs(a / (b * times) - 1) < 0.03);

/** Share of the stretches that by themselves find this tempo or a simple multiple of it. */
function agreement(flat: Float64Array, low: Float64Array, bpm: number): number {
  const size = Math.round(STRETCH_SECONDS * FRAMES_PER_SECOND);
  const hop = Math.round(STRETCH_HOP_SECONDS * FRAMES_PER_SECOND);
  let agree = 0;
  let all = 0;
  for (let from = 0; from === 0 || from + size <= flat.length; from += hop) {
    const part = { all: repetition(flat.subarray(from, from + size), size / 2), low: repetition(low.subarray(from, from + size), size / 2) };
    const best = scores(part).reduce((a, b) => (b.score > a.score ? b : a));
    all++;
    if (sameBeat(best.bpm, bpm)) agree++;
  }
  return agree / all;
}

/** 0..1: how much the strongest onsets sound like something being struck or bowed anew. */
function attack(curve: Float64Array): number {
  const strong = curve.toSorted()[Math.floor((curve.length - 1) * STRONGEST_SHARE)]!;
  return Math.min(1, (strong / STRUCK) ** 2);
}

export function findTempo(curve: OnsetCurve): Tempo {
  if (curve.all.length < SHORTEST_SECONDS * FRAMES_PER_SECOND) return none();
  const flat = flatten(curve.all);
  const low = flatten(curve.low);
  const lags = Math.ceil(lagOf(SLOWEST) * 16.5);
  const whole = { all: repetition(flat, lags), low: repetition(low, lags) };
  const all = scores(whole);
  const peaks = all
    .filter(({ score: value }, i) => value > 0 && value >= (all[i - 1]?.score ?? 0) && value > (all[i + 1]?.score ?? 0))
    .toSorted((a, b) => b.score - a.score);
  const best = peaks[0];
  if (!best) return none();
  const bpm = refine(whole.all, best.bpm);
  const lag = lagOf(bpm);
  // How much of the curve repeats after one beat, two, or a bar.
  const strength = Math.max(near(whole.all, lag), near(whole.all, 2 * lag), near(whole.all, 4 * lag), near(whole.all, 3 * lag));
  const confidence = Math.max(0, Math.min(1, Math.sqrt(Math.max(0, strength)) * agreement(flat, low, bpm) * attack(curve.all)));
  const candidates = peaks.slice(0, 4).map((peak) => ({ bpm: tidy(refine(whole.all, peak.bpm)), strength: Number((peak.score / best.score).toFixed(3)) }));
  return { bpm: confidence >= TEMPO_SURE ? tidy(bpm) : 0, confidence: Number(confidence.toFixed(3)), candidates };
}

/** One decimal is what the method is good for. */
const tidy = (bpm: number): number => Math.round(bpm * 10) / 10;
