/** Computes the `wave` of the API: a fixed number of magnitudes to draw before anything else has loaded. */
import type { Dat } from "./dat.ts";

const PRECISION = 1_000;

/** Returns the highest magnitude over all channels in each of `count` equal slices, 0..1, at most one value per pixel. */
export function computeWave({ length, channels, values }: Dat, count: number): number[] {
  const slices = Math.min(count, length);
  return Array.from({ length: slices }, (_, slice) => {
    const from = Math.floor((slice * length) / slices) * channels * 2;
    const to = Math.floor(((slice + 1) * length) / slices) * channels * 2;
    let peak = 0;
    for (let at = from; at < to; at++) peak = Math.max(peak, Math.abs(values[at]!));
    return Math.min(1, Math.round((peak / 128) * PRECISION) / PRECISION);
  });
}
