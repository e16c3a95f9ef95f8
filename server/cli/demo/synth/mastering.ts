/** How the stems of a song become a mix: balance, a ride of the bass where there is one, loudness. */
import type { Stems } from "./perform.ts";
import { type StemName, STEMS } from "./song.ts";
import { add, gainOf, RATE, silence, type Track, turn } from "./track.ts";

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

/** The end of the chain: a limiter that sees peaks coming, and the way into a file. */
const LOOK_AHEAD = Math.round(0.004 * RATE);
const RELEASE = Math.exp(-1 / (0.09 * RATE));

/** Never above `ceiling` (1 is full scale): the gain goes down before a peak arrives, and comes back slowly. */
function limit({ left, right }: Track, ceiling: number): void {
  const length = left.length;
  const wanted = new Float32Array(length + LOOK_AHEAD).fill(1);
  for (let i = 0; i < length; i++) {
    const peak = Math.max(Math.abs(left[i]!), Math.abs(right[i]!));
    if (peak > ceiling) wanted[i] = ceiling / peak;
  }
  // The lowest gain of the next moments, smoothed over the same time: it has arrived when the peak does.
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

const HEADER_BYTES = 44;

/** A WAV file, 16 bit. */
export function encodeWav({ left, right }: Track): Buffer {
  const bytes = left.length * 4;
  const file = Buffer.alloc(HEADER_BYTES + bytes);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(HEADER_BYTES - 8 + bytes, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(2, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(RATE * 4, 28);
  file.writeUInt16LE(4, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(bytes, 40);
  const samples = new Int16Array(left.length * 2);
  const whole = (value: number): number => Math.max(-32_768, Math.min(32_767, Math.round(value * 32_767)));
  for (let i = 0; i < left.length; i++) {
    samples[2 * i] = whole(left[i]!);
    samples[2 * i + 1] = whole(right[i]!);
  }
  Buffer.from(samples.buffer).copy(file, HEADER_BYTES);
  return file;
}
