/** How the stems of a song become a mix: balance, a ride of the bass where there is one, loudness. */
import { limit } from "./master.ts";
import type { Stems } from "./perform.ts";
import { STEMS, type StemName } from "./song.ts";
import { add, gainOf, RATE, silence, turn, type Track } from "./track.ts";

export interface Mix {
  /** Decibels; who is not named is left out. */
  levels: Partial<Record<StemName, number>>;
  /** Decibels more of the bass from a moment on (seconds). */
  bass?: { from: number; more: number };
  /** Decibels before the limiter. */
  gain: number;
}

/** Full scale is 1: -1 dB leaves room for what a lossy copy adds. */
const CEILING = gainOf(-1);

export function mixStems(stems: Stems, { levels, bass, gain }: Mix): Track {
  const sum = silence(stems.drums.left.length / RATE);
  for (const name of STEMS) {
    const level = levels[name];
    if (level === undefined) continue;
    const hotter = name === "bass" ? bass : undefined;
    add(sum, stems[name], hotter ? (seconds) => gainOf(level + (seconds >= hotter.from ? hotter.more : 0)) : gainOf(level));
  }
  return masterTrack(sum, gain);
}

/** Louder or quieter by so many decibels, and never over the ceiling. Changes the track. */
export function masterTrack(track: Track, gain: number): Track {
  turn(track, gainOf(gain));
  limit(track, CEILING);
  return track;
}
