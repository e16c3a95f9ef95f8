/** Tempo from the onset curve: which repetition explains it best, and how sure one may be. */
import { autocorrelation } from "../signal/fft.ts";
import { FRAMES_PER_SECOND, type OnsetCurve } from "./onset.ts";

export const SLOWEST = 50;
export const FASTEST = 210;
/** Where most music lives, and how far (in octaves) it spreads. */
const USUAL_BPM = 120;
const SPREAD_OCTAVES = 0.8;
/** The mean of this many seconds to both sides is taken off. */
const TREND_SECONDS = 0.5;
/** Below this the answer is "unsure". */
export const TEMPO_SURE = 0.35;
const SHORTEST_SECONDS = 4;

export interface TempoGuess {
  bpm: number;
  /** 0..1. */
  confidence: number;
}

export interface Tempo {
  /** 0 when unsure. */
  bpm: number;
  confidence: number;
  /** Best ones first, whatever the confidence: what a person may choose from. */
  candidates: TempoGuess[];
}

const NONE: Tempo = { bpm: 0, confidence: 0, candidates: [] };

/** Onsets above the local mean. */
function flatten(curve: Float64Array): Float64Array {
  const reach = Math.round(TREND_SECONDS * FRAMES_PER_SECOND);
  const sums = new Float64Array(curve.length + 1);
  for (let i = 0; i < curve.length; i++) sums[i + 1] = sums[i]! + curve[i]!;
  return curve.map((value, i) => {
    const from = Math.max(0, i - reach);
    const to = Math.min(curve.length, i + reach + 1);
    return Math.max(0, value - (sums[to]! - sums[from]!) / (to - from));
  });
}

/** Value between two lags, 0 outside. */
function at(curve: Float64Array, lag: number): number {
  const low = Math.floor(lag);
  if (low < 0 || low + 1 >= curve.length) return 0;
  return curve[low]! + (curve[low + 1]! - curve[low]!) * (lag - low);
}

const lagOf = (bpm: number): number => (60 * FRAMES_PER_SECOND) / bpm;

export function findTempo(curve: OnsetCurve): Tempo {
  if (curve.all.length < SHORTEST_SECONDS * FRAMES_PER_SECOND) return NONE;
  const flat = flatten(curve.all);
  const mean = flat.reduce((a, b) => a + b, 0) / flat.length;
  const centered = flat.map((value) => value - mean);
  const most = Math.min(centered.length - 1, Math.ceil(lagOf(SLOWEST) * 17));
  const r = autocorrelation(centered, most);
  if (!(r[0]! > 0)) return NONE;
  const scored: TempoGuess[] = [];
  for (let bpm = SLOWEST; bpm <= FASTEST; bpm *= 1.005) {
    const lag = lagOf(bpm);
    const octaves = Math.log2(bpm / USUAL_BPM) / SPREAD_OCTAVES;
    const score = (at(r, lag) + 0.5 * at(r, 2 * lag) + 0.25 * at(r, 4 * lag)) * Math.exp(-0.5 * octaves * octaves);
    scored.push({ bpm, confidence: score / r[0]! });
  }
  scored.sort((a, b) => b.confidence - a.confidence);
  const best = scored[0]!;
  const bpm = refine(r, best.bpm);
  return { bpm, confidence: best.confidence, candidates: [{ bpm, confidence: best.confidence }] };
}

/** Many beats later a small error is a large one: the lag is sharpened over up to 16 beats. */
function refine(r: Float64Array, rough: number): number {
  let best = rough;
  let most = -Infinity;
  for (let factor = 0.985; factor <= 1.015; factor += 0.0005) {
    let sum = 0;
    for (let beats = 1; beats <= 16; beats++) sum += at(r, lagOf(rough * factor) * beats);
    if (sum > most) {
      most = sum;
      best = rough * factor;
    }
  }
  return best;
}
