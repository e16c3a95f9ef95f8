/** Computes beats per minute from taps by linear regression, so that a single late tap has little effect. */

/** Tap times in milliseconds. */
export type Taps = readonly number[];
/** Taps at one playback rate. */
export interface TapSequence {
  taps: Taps;
  rate: number;
}
export const NO_TAPS: TapSequence = { taps: [], rate: 1 };

/** Minimum number of taps for a tempo, which gives three intervals. */
export const MIN_TAPS = 4;
/** A longer pause starts a new sequence. At slow tempos the pause must exceed two and a half beats. */
const PAUSE_MS = 2_000;
const PAUSE_BEATS = 2.5;
/** Shorter intervals are faster than any beat and come from a repeating key or an unsteady finger. */
const BOUNCE_MS = 120;
/** Maximum number of taps to use, because older taps do not reflect the current tempo. */
const MAX_TAPS = 32;

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middleIndex = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middleIndex]! : (sorted[middleIndex - 1]! + sorted[middleIndex]!) / 2;
};
const intervals = (taps: Taps): number[] => taps.slice(1).map((timeMs, index) => timeMs - taps[index]!);

/** Adds a tap at `timeMs`. Ignores a bounce and starts over after a pause. */
export function withTap(taps: Taps, timeMs: number): Taps {
  const lastTap = taps.at(-1);
  if (lastTap === undefined) return [timeMs];
  const gap = timeMs - lastTap;
  if (gap < BOUNCE_MS) return gap < 0 ? [timeMs] : taps;
  const pause = taps.length < 3 ? PAUSE_MS : Math.max(PAUSE_MS, PAUSE_BEATS * median(intervals(taps)));
  return gap > pause ? [timeMs] : [...taps, timeMs].slice(-MAX_TAPS);
}

/** Adds a tap at playback `rate`. Another rate starts a new sequence. */
export const addTap = (sequence: TapSequence, timeMs: number, rate: number): TapSequence => ({
  taps: withTap(sequence.rate === rate ? sequence.taps : [], timeMs),
  rate,
});

/**
 * Returns beats per minute with one decimal, or null with fewer than `MIN_TAPS` taps. A skipped beat still counts as
 * a beat. The tempo refers to normal speed, so taps at half speed give twice the tapped tempo.
 */
export function tempoFromTaps({ taps, rate }: TapSequence): number | null {
  if (taps.length < MIN_TAPS) return null;
  const beat = median(intervals(taps));
  // Assigns each tap its beat number, so that a skipped beat leaves a gap.
  const beats = [0];
  for (const gap of intervals(taps)) beats.push(beats.at(-1)! + Math.max(1, Math.round(gap / beat)));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(beats), mean(taps)];
  const slope =
    beats.reduce((sum, beatNumber, index) => sum + (beatNumber - x) * (taps[index]! - y), 0) /
    beats.reduce((sum, beatNumber) => sum + (beatNumber - x) ** 2, 0);
  return Math.round(600_000 / (slope * rate)) / 10;
}
