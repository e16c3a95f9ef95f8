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

export class BlockReader {
  readonly #count: number;
  #buffers: Float32Array[];

  constructor(channels: number) {
    this.#count = channels;
    this.#buffers = Array.from({ length: channels }, () => new Float32Array(8_192));
  }

  /** Fills a channel missing from a later frame with silence and ignores surplus channels. */
  read(frame: Frame): Block {
    const length = frame.nbSamples;
    const layout = LAYOUTS.get(frame.format);
    if (!layout) throw new MediaFailure("not-supported", `sample format ${frame.format}`);
    const frameChannels = frame.channels;
    const planes = layout.planar && frameChannels > 8 ? frame.extendedData : frame.data;
    if (!planes || planes.length === 0) throw new MediaFailure("damaged", "a frame without samples");
    if (frame.format === AV_SAMPLE_FMT_FLTP && frameChannels === this.#count) {
      return { channels: planes.slice(0, frameChannels).map((plane) => flt(plane, length) as Float32Array), length };
    }
    if (this.#buffers[0]!.length < length) this.#buffers = this.#buffers.map(() => new Float32Array(length * 2));
    const buffers = this.#buffers;
    if (frame.format === AV_SAMPLE_FMT_S16 && frameChannels === 2 && this.#count === 2) {
      deinterleaveInt16Stereo(s16(planes[0]!, length * 2) as Int16Array, buffers[0]!, buffers[1]!, length);
      return { channels: buffers, length };
    }
    for (let channel = 0; channel < this.#count; channel++) {
      const out = buffers[channel]!;
      if (channel >= frameChannels) out.fill(0, 0, length);
      else if (layout.planar) deinterleave(layout.view(planes[channel]!, length), out, length, 0, 1, layout.zero, layout.scale);
      else deinterleave(layout.view(planes[0]!, length * frameChannels), out, length, channel, frameChannels, layout.zero, layout.scale);
    }
    return { channels: buffers, length };
  }
}
