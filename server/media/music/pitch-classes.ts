/** Turns chroma vectors of 36 bins into the twelve pitch classes of a track, corrected by its tuning. */
import { BINS } from "./chroma.ts";

/** Returns the vector scaled to a maximum of 1, so that a quiet verse counts as much as a loud chorus. */
export function normalizeMax(vector: Float64Array): Float64Array {
  const max = vector.reduce((a, b) => Math.max(a, b), 0);
  return max > 0 ? vector.map((value) => value / max) : vector;
}

/** Returns the vector scaled to a sum of 1. */
export function normalizeSum(vector: Float64Array): Float64Array {
  const sum = vector.reduce((a, b) => a + b, 0);
  return sum > 0 ? vector.map((value) => value / sum) : vector;
}

/** Adds up vectors of the same length, of which there must be at least one. */
export function sumVectors(vectors: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(vectors[0]!.length);
  for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]!;
  return sum;
}

/** Returns the tuning offset in cents, -50..50, as the circular mean of the energy between semitones. */
export function estimateTuning(sum: Float64Array): number {
  let x = 0;
  let y = 0;
  for (let bin = 0; bin < BINS; bin++) {
    x += sum[bin]! * Math.cos((2 * Math.PI * bin * 12) / BINS);
    y += sum[bin]! * Math.sin((2 * Math.PI * bin * 12) / BINS);
  }
  return (Math.atan2(y, x) / (2 * Math.PI)) * 100;
}

/** Returns a function that folds 36 bins into 12 pitch classes, starting at C, for a track that is `cents` out of tune. */
export function createPitchFolder(cents: number): (bins: Float64Array) => Float64Array {
  const step = BINS / 12;
  const shift = (cents / 100) * step;
  const weights = Array.from({ length: 12 }, (_, pitch) =>
    Float64Array.from({ length: BINS }, (_bin, bin) => {
      const distance = ((((bin - shift - pitch * step) % BINS) + BINS * 1.5) % BINS) - BINS / 2;
      return Math.max(0, 1 - Math.abs(distance) / 2);
    }),
  );
  return (bins) => Float64Array.from(weights, (row) => row.reduce((sum, weight, bin) => sum + weight * bins[bin]!, 0));
}

/** Scales a profile to zero mean and unit length, so that the dot product of two is their Pearson correlation. A flat profile becomes zero. */
export function standardize(profile: ArrayLike<number>): Float64Array {
  const values = Float64Array.from(profile);
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const deviations = values.map((value) => value - mean);
  const size = Math.hypot(...deviations);
  return size > 1e-9 ? deviations.map((value) => value / size) : deviations.fill(0);
}

/** Returns the dot product of `pitches` and a profile of twelve values that starts at pitch class `tonic`. */
export function matchAt(pitches: Float64Array, profile: Float64Array, tonic: number): number {
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += pitches[(i + tonic) % 12]! * profile[i]!;
  return sum;
}
