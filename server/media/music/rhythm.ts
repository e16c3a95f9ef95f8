/** Where onsets stand out of a track, and how they repeat themselves: the raw material of every question about its tempo. */
import { autocorrelation } from "../signal/fft.ts";
import { FRAMES_PER_SECOND, type OnsetCurve } from "./onset.ts";

export const MIN_BPM = 48;
/** Repetitions are known up to so many of the slowest beats. */
export const MAX_BEATS = 16;
/** The mean of this many seconds to both sides is taken off. */
const TREND_SECONDS = 0.5;

export interface Rhythm {
  /** By frame: how far above what is around. */
  onsets: OnsetCurve;
  autocorrelation: Autocorrelation;
}

/** By lag in frames: the onsets correlated with themselves, 1 at no lag. */
export type Autocorrelation = OnsetCurve;

/** Lag of one beat in frames of the onset curve. */
export const beatLag = (bpm: number): number => (60 * FRAMES_PER_SECOND) / bpm;

/** Onsets above the local mean. */
function subtractLocalMean(curve: Float64Array): Float64Array {
  const reach = Math.round(TREND_SECONDS * FRAMES_PER_SECOND);
  const sums = new Float64Array(curve.length + 1);
  for (let i = 0; i < curve.length; i++) sums[i + 1] = sums[i]! + curve[i]!;
  return curve.map((value, i) => {
    const from = Math.max(0, i - reach);
    const to = Math.min(curve.length, i + reach + 1);
    return Math.max(0, value - (sums[to]! - sums[from]!) / (to - from));
  });
}

function autocorrelateCurve(curve: Float64Array, lags: number): Float64Array {
  const mean = curve.reduce((a, b) => a + b, 0) / curve.length;
  const r = autocorrelation(
    curve.map((value) => value - mean),
    Math.min(lags, curve.length - 1),
  );
  const scale = r[0]! > 0 ? 1 / r[0]! : 0;
  return r.map((value) => value * scale);
}

export const autocorrelateOnsets = ({ all, low }: OnsetCurve, lags: number): Autocorrelation => ({
  all: autocorrelateCurve(all, lags),
  low: autocorrelateCurve(low, lags),
});

export function analyzeRhythm(curve: OnsetCurve): Rhythm {
  const onsets = { all: subtractLocalMean(curve.all), low: subtractLocalMean(curve.low) };
  return { onsets, autocorrelation: autocorrelateOnsets(onsets, Math.ceil(beatLag(MIN_BPM) * (MAX_BEATS + 0.5))) };
}

/** Value between two frames or lags, 0 outside. */
export function interpolate(curve: Float64Array, position: number): number {
  const low = Math.floor(position);
  if (low < 0 || low + 1 >= curve.length) return 0;
  return curve[low]! + (curve[low + 1]! - curve[low]!) * (position - low);
}

/** Highest value near a lag: tempi are looked at in coarse steps and people are not machines. */
export const maxNear = (curve: Float64Array, lag: number): number =>
  Math.max(interpolate(curve, lag), interpolate(curve, lag * 0.995), interpolate(curve, lag * 1.005));
