/** Tempo from taps: beats per minute by a straight line through the taps, so that a single late one hardly counts. */

/** Milliseconds. */
export type Taps = readonly number[];
/** Taps to a sound at one speed. */
export interface TapSequence {
  taps: Taps;
  rate: number;
}
export const NO_TAPS: TapSequence = { taps: [], rate: 1 };

/** From so many taps on a tempo is told: three distances. */
export const MIN_TAPS = 4;
/** Who pauses for longer begins anew; at slow tempos the pause must be longer than two beats and a half. */
const PAUSE_MS = 2_000;
const PAUSE_BEATS = 2.5;
/** Faster than any beat: a key that repeats, a finger that trembles. */
const BOUNCE_MS = 120;
/** What was tapped longer ago says nothing about now. */
const MAX_TAPS = 32;

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middleIndex = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middleIndex]! : (sorted[middleIndex - 1]! + sorted[middleIndex]!) / 2;
};
const intervals = (taps: Taps): number[] => taps.slice(1).map((timeMs, index) => timeMs - taps[index]!);

/** The taps with one more at `timeMs`. */
export function withTap(taps: Taps, timeMs: number): Taps {
  const lastTap = taps.at(-1);
  if (lastTap === undefined) return [timeMs];
  const gap = timeMs - lastTap;
  if (gap < BOUNCE_MS) return gap < 0 ? [timeMs] : taps;
  const pause = taps.length < 3 ? PAUSE_MS : Math.max(PAUSE_MS, PAUSE_BEATS * median(intervals(taps)));
  return gap > pause ? [timeMs] : [...taps, timeMs].slice(-MAX_TAPS);
}

/** One more, to a sound at `rate`; at another speed it begins anew. */
export const addTap = (sequence: TapSequence, timeMs: number, rate: number): TapSequence => ({
  taps: withTap(sequence.rate === rate ? sequence.taps : [], timeMs),
  rate,
});

/** Beats per minute with one digit, or null until it is steady. A beat that was left out counts as one. At half speed the sound has twice the tempo. */
export function tempoFromTaps({ taps, rate }: TapSequence): number | null {
  if (taps.length < MIN_TAPS) return null;
  const beat = median(intervals(taps));
  // On which beat each tap fell: a missed one leaves a hole.
  const beats = [0];
  for (const gap of intervals(taps)) beats.push(beats.at(-1)! + Math.max(1, Math.round(gap / beat)));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(beats), mean(taps)];
  const slope =
    beats.reduce((sum, beatNumber, index) => sum + (beatNumber - x) * (taps[index]! - y), 0) /
    beats.reduce((sum, beatNumber) => sum + (beatNumber - x) ** 2, 0);
  return Math.round(600_000 / (slope * rate)) / 10;
}
