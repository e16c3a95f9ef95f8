/** Stereo sound under construction: instruments add themselves to it. */
export const RATE = 44_100;

export interface Track {
  left: Float32Array;
  right: Float32Array;
}

/** A stretch of silence of so many seconds. */
export function silence(seconds: number): Track {
  const length = Math.ceil(seconds * RATE);
  return { left: new Float32Array(length), right: new Float32Array(length) };
}

/** Often enough that a fade has no steps anybody hears, in samples. */
const FADE_STEP = 32;

/** A gain that may change over time (seconds). */
export type Gain = number | ((seconds: number) => number);

function scaled(to: Float32Array, from: Float32Array, gain: Gain, ownGain: number): void {
  for (let start = 0; start < to.length; start += FADE_STEP) {
    const now = typeof gain === "number" ? gain : gain(start / RATE);
    const end = Math.min(start + FADE_STEP, to.length);
    for (let i = start; i < end; i++) to[i] = to[i]! * ownGain + from[i]! * now;
  }
}

/** Adds `from` to `to`, sample by sample. */
export function add(to: Track, from: Track, gain: Gain): void {
  scaled(to.left, from.left, gain, 1);
  scaled(to.right, from.right, gain, 1);
}

export function turn(track: Track, gain: Gain): void {
  scaled(track.left, track.left, gain, 0);
  scaled(track.right, track.right, gain, 0);
}

export const gainOf = (decibels: number): number => 10 ** (decibels / 20);

/** Equal power: -1 is left, 1 is right. */
export const panOf = (position: number): [left: number, right: number] => {
  const angle = ((position + 1) * Math.PI) / 4;
  return [Math.cos(angle) * Math.SQRT2, Math.sin(angle) * Math.SQRT2];
};

/** Numbers from 0 to 1 that look random and are the same in every run. */
export function seeded(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4_294_967_296;
  };
}
