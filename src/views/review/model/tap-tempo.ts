/** Tempo from taps: beats per minute by a straight line through the taps, so that a single late one hardly counts. */

/** Milliseconds. */
export type Taps = readonly number[];
/** Taps to a sound at one speed. */
export interface Tapping {
  taps: Taps;
  rate: number;
}
export const NO_TAPS: Tapping = { taps: [], rate: 1 };

/** From so many taps on a tempo is told: three distances. */
export const STEADY_AFTER = 4;
/** Who pauses for longer begins anew; at slow tempos the pause must be longer than two beats and a half. */
const PAUSE_MS = 2_000;
const PAUSE_BEATS = 2.5;
/** Faster than any beat: a key that repeats, a finger that trembles. */
const BOUNCE_MS = 120;
/** What was tapped longer ago says nothing about now. */
const MOST = 32;

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
};
const distances = (taps: Taps): number[] => taps.slice(1).map((at, index) => at - taps[index]!);

/** The taps with one more at `at`. */
export function withTap(taps: Taps, at: number): Taps {
  const last = taps.at(-1);
  if (last === undefined) return [at];
  const gap = at - last;
  if (gap < BOUNCE_MS) return gap < 0 ? [at] : taps;
  const pause = taps.length < 3 ? PAUSE_MS : Math.max(PAUSE_MS, PAUSE_BEATS * median(distances(taps)));
  return gap > pause ? [at] : [...taps, at].slice(-MOST);
}

/** One more, to a sound at `rate`; at another speed it begins anew. */
export const tapped = (known: Tapping, at: number, rate: number): Tapping => ({ taps: withTap(known.rate === rate ? known.taps : [], at), rate });

/** Beats per minute with one digit, or null until it is steady. A beat that was left out counts as one. At half speed the sound has twice the tempo. */
export function tempoOfTaps({ taps, rate }: Tapping): number | null {
  if (taps.length < STEADY_AFTER) return null;
  const beat = median(distances(taps));
  // On which beat each tap fell: a missed one leaves a hole.
  const beats = [0];
  for (const gap of distances(taps)) beats.push(beats.at(-1)! + Math.max(1, Math.round(gap / beat)));
  const middle = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [middle(beats), middle(taps)];
  const slope = beats.reduce((sum, at, index) => sum + (at - x) * (taps[index]! - y), 0) / beats.reduce((sum, at) => sum + (at - x) ** 2, 0);
  return Math.round(600_000 / (slope * rate)) / 10;
}
