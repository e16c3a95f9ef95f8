/** Turns the stems of a song into a mix with its own balance and loudness. */
import type { Stems } from "./synth/perform.ts";
import { sectionStart, type StemName, STEMS } from "./synth/song.ts";
import { NIGHTDRIVE } from "./synth/songs/nightdrive.ts";
import { addTrack, applyGain, decibelsToGain, SAMPLE_RATE, silentTrack, type Track } from "./synth/track.ts";

export interface Mix {
  /** In decibels; stems without a level are left out. */
  levels: Partial<Record<StemName, number>>;
  /** Raises the bass by `more` decibels, starting at `from` seconds. */
  bass?: { from: number; more: number };
  /** In decibels, applied before the limiter. */
  gain: number;
}

/** Ceiling of the limiter, 1 is full scale. Opus exceeds its source by up to 0.6 dB, so the shipped copy peaks at -1 dB, as the demo's story says. */
const CEILING = decibelsToGain(-1.6);
/** In samples: how long before a peak the limiter lowers the gain. */
const LOOK_AHEAD = Math.round(0.004 * SAMPLE_RATE);
/** Decay per sample of the gain reduction, with a time constant of 90 ms. */
const RELEASE = Math.exp(-1 / (0.09 * SAMPLE_RATE));

export function mixStems(stems: Stems, { levels, bass, gain }: Mix): Track {
  const sum = silentTrack(stems.drums.left.length / SAMPLE_RATE);
  for (const name of STEMS) {
    const level = levels[name];
    if (level === undefined) continue;
    const boost = name === "bass" ? bass : undefined;
    addTrack(sum, stems[name], boost ? (seconds) => decibelsToGain(level + (seconds >= boost.from ? boost.more : 0)) : decibelsToGain(level));
  }
  return masterTrack(sum, gain);
}

/** Changes the loudness of the track itself, in decibels, and limits it to the ceiling. */
export function masterTrack(track: Track, gain: number): Track {
  applyGain(track, decibelsToGain(gain));
  limit(track, CEILING);
  return track;
}

/** Keeps the track below `ceiling` (1 is full scale): the gain falls before a peak arrives and recovers slowly. */
function limit({ left, right }: Track, ceiling: number): void {
  const length = left.length;
  const wanted = new Float32Array(length + LOOK_AHEAD).fill(1);
  for (let i = 0; i < length; i++) {
    const peak = Math.max(Math.abs(left[i]!), Math.abs(right[i]!));
    if (peak > ceiling) wanted[i] = ceiling / peak;
  }
  // The lowest gain within the look-ahead, averaged over the same time, so that it is reached when the peak arrives.
  const lowest = new Float32Array(length);
  const queue: number[] = [];
  let head = 0;
  for (let i = 0; i < length + LOOK_AHEAD; i++) {
    while (queue.length > head && wanted[queue.at(-1)!]! >= wanted[i]!) queue.pop();
    queue.push(i);
    const at = i - LOOK_AHEAD;
    if (at < 0) continue;
    while (queue[head]! < at) head++;
    lowest[at] = wanted[queue[head]!]!;
  }
  let heldGain = 1;
  let sum = LOOK_AHEAD;
  const recent = new Float32Array(LOOK_AHEAD).fill(1);
  for (let i = 0; i < length; i++) {
    heldGain = Math.min(lowest[i]!, 1 - (1 - heldGain) * RELEASE);
    sum += heldGain - recent[i % LOOK_AHEAD]!;
    recent[i % LOOK_AHEAD] = heldGain;
    const gain = Math.min(sum / LOOK_AHEAD, 1);
    left[i]! *= gain;
    right[i]! *= gain;
  }
}

/** Mixes of Nightdrive in the order of their creation. The second mix is too loud from the drop on, as the demo's story says. */
export const MIXES = {
  v1: { levels: { drums: -3, bass: -1, synths: 0, lead: -5 }, gain: -8 },
  v2: { levels: { drums: 0, bass: 0, synths: 0, lead: 0 }, bass: { from: sectionStart(NIGHTDRIVE, "drop"), more: 8 }, gain: 2.1 },
  v3: { levels: { drums: 0, bass: 0, synths: 0, lead: 0 }, gain: -0.5 },
  instrumental: { levels: { drums: 0, bass: 0, synths: 0 }, gain: -0.5 },
} satisfies Record<string, Mix>;
