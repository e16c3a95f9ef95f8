/** Converts FFmpeg frames of any sample format to one float array per channel. */
import {
  AV_SAMPLE_FMT_DBL,
  AV_SAMPLE_FMT_DBLP,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
  AV_SAMPLE_FMT_S32,
  AV_SAMPLE_FMT_S32P,
  AV_SAMPLE_FMT_U8,
  AV_SAMPLE_FMT_U8P,
} from "node-av/constants";
import type { Frame } from "node-av/lib";
import { MediaFailure } from "../failure.ts";

/** Samples with a full scale of -1..1. The arrays are reused, so copy anything needed after the call. */
export interface Block {
  readonly channels: readonly Float32Array[];
  readonly length: number;
}

type SampleArray = Uint8Array | Int16Array | Int32Array | Float32Array | Float64Array;
interface Layout {
  planar: boolean;
  scale: number;
  /** Value of silence: 128 for unsigned bytes. */
  zero: number;
  view(buffer: Buffer, count: number): SampleArray;
}

const u8 = (b: Buffer, n: number): SampleArray => new Uint8Array(b.buffer, b.byteOffset, n);
const s16 = (b: Buffer, n: number): SampleArray => new Int16Array(b.buffer, b.byteOffset, n);
const s32 = (b: Buffer, n: number): SampleArray => new Int32Array(b.buffer, b.byteOffset, n);
const flt = (b: Buffer, n: number): SampleArray => new Float32Array(b.buffer, b.byteOffset, n);
const dbl = (b: Buffer, n: number): SampleArray => new Float64Array(b.buffer, b.byteOffset, n);

const LAYOUTS = new Map<number, Layout>([
  [AV_SAMPLE_FMT_U8, { planar: false, scale: 1 / 128, zero: 128, view: u8 }],
  [AV_SAMPLE_FMT_U8P, { planar: true, scale: 1 / 128, zero: 128, view: u8 }],
  [AV_SAMPLE_FMT_S16, { planar: false, scale: 1 / 32_768, zero: 0, view: s16 }],
  [AV_SAMPLE_FMT_S16P, { planar: true, scale: 1 / 32_768, zero: 0, view: s16 }],
  [AV_SAMPLE_FMT_S32, { planar: false, scale: 1 / 2_147_483_648, zero: 0, view: s32 }],
  [AV_SAMPLE_FMT_S32P, { planar: true, scale: 1 / 2_147_483_648, zero: 0, view: s32 }],
  [AV_SAMPLE_FMT_FLT, { planar: false, scale: 1, zero: 0, view: flt }],
  [AV_SAMPLE_FMT_FLTP, { planar: true, scale: 1, zero: 0, view: flt }],
  [AV_SAMPLE_FMT_DBL, { planar: false, scale: 1, zero: 0, view: dbl }],
  [AV_SAMPLE_FMT_DBLP, { planar: true, scale: 1, zero: 0, view: dbl }],
]);

/** Planes that `data` of a frame lists; `extendedData` has all. */
const MAX_PLANES = 8;
const INITIAL_SAMPLES = 8_192;

function deinterleave(from: SampleArray, out: Float32Array, length: number, start: number, step: number, zero: number, scale: number): void {
  for (let i = 0, at = start; i < length; i++, at += step) out[i] = (from[at]! - zero) * scale;
}

/** Separate loop for 16-bit stereo, by far the most common format; a single array type keeps the loop monomorphic and fast. */
function deinterleaveInt16Stereo(from: Int16Array, left: Float32Array, right: Float32Array, length: number): void {
  const scale = 1 / 32_768;
  for (let i = 0, at = 0; i < length; i++, at += 2) {
    left[i] = from[at]! * scale;
    right[i] = from[at + 1]! * scale;
  }
}

/** Magnitude above which a float is no sound: 2^24, the full scale of a 24-bit recording whose scaling was forgotten. */
const MAX_MAGNITUDE = 2 ** 24;
/**
 * A sample above 2^7 (+42 dBFS) is huge. It is sound only in a recording without scaling, where huge samples outnumber those of ordinary sound, and where
 * there are more than a few of them. Anywhere else it comes from a broken program, and a single one would spoil every measurement of the file.
 */
const HUGE_MAGNITUDE = 2 ** 7;
const MIN_HUGE_SAMPLES = 64;
/** The bits of a float without its sign are in the order of its magnitude, and those of infinity and NaN are the highest. */
const MAGNITUDE_BITS = 0x7fff_ffff;
const toBits = (magnitude: number): number => new Int32Array(Float32Array.of(magnitude).buffer)[0]!;
/** Just below 1, which is the smallest step of a recording without scaling. */
const ORDINARY_BITS = toBits(1) - 1;
const [HUGE_BITS, MAX_BITS] = [toBits(HUGE_MAGNITUDE), toBits(MAX_MAGNITUDE)] as const;

function highestBits(samples: Float32Array, length: number): number {
  const bits = new Int32Array(samples.buffer, samples.byteOffset, length);
  let highest = 0;
  for (let i = 0; i < length; i++) {
    const magnitude = bits[i]! & MAGNITUDE_BITS;
    if (magnitude > highest) highest = magnitude;
  }
  return highest;
}

/** Counts the bits of the samples that are above `from` and up to `to`. */
function countBits(samples: Float32Array, length: number, from: number, to: number): number {
  const bits = new Int32Array(samples.buffer, samples.byteOffset, length);
  let count = 0;
  for (let i = 0; i < length; i++) {
    const magnitude = bits[i]! & MAGNITUDE_BITS;
    if (magnitude > from && magnitude <= to) count++;
  }
  return count;
}

/** Replaces samples beyond the limit by silence and returns their number. */
function silenceSamples(samples: Float32Array, length: number, limit: number): number {
  let count = 0;
  for (let i = 0; i < length; i++) {
    if (Math.abs(samples[i]!) <= limit) continue;
    samples[i] = 0;
    count++;
  }
  return count;
}

const FLOAT_FORMATS = new Set<number>([AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP]);

/** Reads decoded frames, whatever their sample format. */
export class SampleReader {
  #buffers: Float32Array[] = [];
  /** Samples of the file so far that are huge, and those of ordinary sound: below full scale, and not zero. */
  #huge = 0;
  #ordinary = 0;
  /** Samples of all channels that were not finite or far beyond full scale, and became silence. */
  badSamples = 0;

  read(frame: Frame): Block {
    const length = frame.nbSamples;
    const { format, channels } = frame;
    const layout = LAYOUTS.get(format);
    if (!layout) throw new MediaFailure("not-supported", `sample format ${format}`);
    const planes = layout.planar && channels > MAX_PLANES ? frame.extendedData : frame.data;
    if (!planes || planes.length === 0) throw new MediaFailure("damaged", "a frame without samples");
    if (format === AV_SAMPLE_FMT_FLTP) {
      const views = planes.slice(0, channels).map((plane) => flt(plane, length) as Float32Array);
      return { channels: this.#silenceBadSamples(views, length), length };
    }
    for (let channel = 0; channel < channels; channel++) this.#ensureBuffer(channel, length);
    const buffers = this.#buffers.slice(0, channels);
    if (format === AV_SAMPLE_FMT_S16 && channels === 2) {
      deinterleaveInt16Stereo(s16(planes[0]!, length * 2) as Int16Array, buffers[0]!, buffers[1]!, length);
      return { channels: buffers, length };
    }
    for (let channel = 0; channel < channels; channel++) {
      const out = buffers[channel]!;
      if (layout.planar) deinterleave(layout.view(planes[channel]!, length), out, length, 0, 1, layout.zero, layout.scale);
      else deinterleave(layout.view(planes[0]!, length * channels), out, length, channel, channels, layout.zero, layout.scale);
    }
    return { channels: FLOAT_FORMATS.has(format) ? this.#silenceBadSamples(buffers, length) : buffers, length };
  }

  /** Returns the same arrays, with copies in place of those that have bad samples, because a decoder may still read its memory. */
  #silenceBadSamples(channels: readonly Float32Array[], length: number): readonly Float32Array[] {
    const highest = channels.map((samples) => highestBits(samples, length));
    const top = Math.max(...highest);
    if (top <= HUGE_BITS) {
      if (top > 0 && top <= ORDINARY_BITS) this.#ordinary += length * channels.length;
      return channels;
    }
    for (const samples of channels) {
      this.#huge += countBits(samples, length, HUGE_BITS, MAX_BITS);
      this.#ordinary += countBits(samples, length, 0, ORDINARY_BITS);
    }
    const isUnscaled = this.#huge >= MIN_HUGE_SAMPLES && this.#huge > this.#ordinary;
    const [limit, limitBits] = isUnscaled ? [MAX_MAGNITUDE, MAX_BITS] : [HUGE_MAGNITUDE, HUGE_BITS];
    return channels.map((samples, channel) => {
      if (highest[channel]! <= limitBits) return samples;
      const copy = this.#ensureBuffer(channel, length);
      copy.set(samples.subarray(0, length));
      this.badSamples += silenceSamples(copy, length, limit);
      return copy;
    });
  }

  #ensureBuffer(channel: number, length: number): Float32Array {
    const existing = this.#buffers[channel];
    if (existing && existing.length >= length) return existing;
    return (this.#buffers[channel] = new Float32Array(Math.max(INITIAL_SAMPLES, length * 2)));
  }
}
