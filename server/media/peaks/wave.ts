/** The documented `wave`: a fixed number of magnitudes for drawing before anything else has loaded. */
import type { Dat } from "./dat.ts";

const DIGITS = 1_000;

/** The highest magnitude over all channels in each of `count` equal slices; 0..1, at most one value per pixel. */
export function waveOf({ length, channels, values }: Dat, count: number): number[] {
  const slices = Math.min(count, length);
  return Array.from({ length: slices }, (_, slice) => {
    const from = Math.floor((slice * length) / slices) * channels * 2;
    const to = Math.floor(((slice + 1) * length) / slices) * channels * 2;
    let most = 0;
    for (let at = from; at < to; at++) most = Math.max(most, Math.abs(values[at]!));
    return Math.min(1, Math.round((most / 128) * DIGITS) / DIGITS);
  });
}
