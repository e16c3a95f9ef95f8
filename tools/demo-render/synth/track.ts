/** In-memory stereo tracks: mixing, gain, panning, and the seeded random numbers of the renderer. */

/** Sample rate in Hz. */
export const SAMPLE_RATE = 44_100;

export interface Track {
  left: Float32Array;
  right: Float32Array;
}

/** Returns a silent track of `seconds`, rounded up to a whole sample. */
export function silentTrack(seconds: number): Track {
  const length = Math.ceil(seconds * SAMPLE_RATE);
  return { left: new Float32Array(length), right: new Float32Array(length) };
}

/** Samples between two evaluations of a changing gain: few enough that its steps are inaudible. */
const GAIN_INTERVAL = 32;

/** A linear gain factor, constant or a function of the time in seconds. */
export type Gain = number | ((seconds: number) => number);

/** Sets each sample of `target` to `target * targetGain + source * gain`. */
function scaleAndAdd(target: Float32Array, source: Float32Array, gain: Gain, targetGain: number): void {
  for (let start = 0; start < target.length; start += GAIN_INTERVAL) {
    const currentGain = typeof gain === "number" ? gain : gain(start / SAMPLE_RATE);
    const end = Math.min(start + GAIN_INTERVAL, target.length);
    for (let i = start; i < end; i++) target[i] = target[i]! * targetGain + source[i]! * currentGain;
  }
}

/** Adds `source`, multiplied by `gain`, to `target`. */
export function addTrack(target: Track, source: Track, gain: Gain): void {
  scaleAndAdd(target.left, source.left, gain, 1);
  scaleAndAdd(target.right, source.right, gain, 1);
}

/** Multiplies the track by `gain`. */
export function applyGain(track: Track, gain: Gain): void {
  scaleAndAdd(track.left, track.left, gain, 0);
  scaleAndAdd(track.right, track.right, gain, 0);
}

/** Converts decibels to a linear gain factor, `10^(dB/20)`. */
export const decibelsToGain = (decibels: number): number => 10 ** (decibels / 20);

/** Equal-power panning: the gains of both channels for a position from -1 (left) to 1 (right); both are 1 in the center. */
export const panGains = (position: number): [left: number, right: number] => {
  const angle = ((position + 1) * Math.PI) / 4;
  return [Math.cos(angle) * Math.SQRT2, Math.sin(angle) * Math.SQRT2];
};

/** Returns a pseudo-random number generator (xorshift, 32 bits) for numbers from 0 to below 1, which are the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4_294_967_296;
  };
}
