/** Analyzes how prominent the onsets of a track are and how they repeat, as input for tempo detection. */
import { autocorrelation } from "../signal/fft.ts";
import { FRAMES_PER_SECOND, type OnsetCurve } from "./onset.ts";

export const MIN_BPM = 48;
/** The autocorrelation covers this many beats at `MIN_BPM`. */
export const MAX_BEATS = 16;
/** Seconds on each side over which the local mean is taken. */
const TREND_SECONDS = 0.5;

export interface Rhythm {
  /** Onset strength above the local mean, per frame. */
  onsets: OnsetCurve;
  autocorrelation: Autocorrelation;
}

/** Autocorrelation of the onsets by lag in frames, 1 at lag 0. */
export type Autocorrelation = OnsetCurve;

/** Returns the lag of one beat in frames of the onset curve. */
export const beatLag = (bpm: number): number => (60 * FRAMES_PER_SECOND) / bpm;

/** Returns the onset strength above the local mean, never below zero. */
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

/** Returns the linearly interpolated value between two frames or lags, or 0 out of range. */
export function interpolate(curve: Float64Array, position: number): number {
  const low = Math.floor(position);
  if (low < 0 || low + 1 >= curve.length) return 0;
  return curve[low]! + (curve[low + 1]! - curve[low]!) * (position - low);
}

/** Returns the highest value near a lag, because tempi are searched in coarse steps and people play imprecisely. */
export const maxNear = (curve: Float64Array, lag: number): number =>
  Math.max(interpolate(curve, lag), interpolate(curve, lag * 0.995), interpolate(curve, lag * 1.005));
