/** Converts sample rate and channels of float blocks with FFmpeg's resampler. */
import {
  AV_CHANNEL_ORDER_AMBISONIC,
  AV_CHANNEL_ORDER_NATIVE,
  AV_CHANNEL_ORDER_UNSPEC,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  type AVSampleFormat,
} from "node-av/constants";
import { avChannelLayoutDefault, type ChannelLayout, SoftwareResampleContext } from "node-av/lib";
import { check } from "./av.ts";
import type { Block } from "./samples.ts";

export interface ResampleFormat {
  /** In Hz. */
  sampleRate: number;
  /** Never a custom order, which the binding cannot pass on. */
  channelLayout: ChannelLayout;
}

/** The binding takes up to 8 planes, so more channels go through it interleaved. */
const MAX_PLANES = 8;

const unspecifiedLayout = (channels: number): ChannelLayout => ({ nbChannels: channels, order: AV_CHANNEL_ORDER_UNSPEC, mask: 0n });

/** Returns FFmpeg's default speakers for so many channels, or a layout without speakers where it knows none. */
export function defaultLayout(channels: number): ChannelLayout {
  const layout = avChannelLayoutDefault(channels);
  return layout.order === AV_CHANNEL_ORDER_NATIVE ? layout : unspecifiedLayout(channels);
}

/** Mixes channels without known speakers: each output is the average of every n-th input, and channels that the input lacks are silent. */
const averageMatrix = (from: number, to: number): number[] =>
  Array.from({ length: from * to }, (_, index) => {
    const [output, input] = [Math.floor(index / from), index % from];
    return input % to === output ? 1 / Math.ceil((from - output) / to) : 0;
  });

/** Mixes a sound field (W, Y, Z, X, ...) to two microphones that face left and right, or to one that hears all around. */
const ambisonicMatrix = (from: number, to: number): number[] =>
  Array.from({ length: from * to }, (_, index) => {
    const [output, input] = [Math.floor(index / from), index % from];
    if (to !== 2) return input === output ? 1 : 0;
    return input === 0 ? 0.5 : input === 1 ? 0.5 - output : 0;
  });

function createContext(from: ResampleFormat, to: ResampleFormat): SoftwareResampleContext {
  const [inputs, outputs] = [from.channelLayout.nbChannels, to.channelLayout.nbChannels];
  const sampleFormat = (channels: number): AVSampleFormat => (channels > MAX_PLANES ? AV_SAMPLE_FMT_FLT : AV_SAMPLE_FMT_FLTP);
  const setUp = (swr: SoftwareResampleContext, input: ChannelLayout, output: ChannelLayout, matrix: number[] | null): number => {
    const allocated = swr.allocSetOpts2(output, sampleFormat(outputs), to.sampleRate, input, sampleFormat(inputs), from.sampleRate);
    if (allocated < 0) return allocated;
    const mixed = matrix ? swr.setMatrix(matrix, inputs) : 0;
    return mixed < 0 ? mixed : swr.init();
  };
  // FFmpeg would play mono 3 dB quieter in stereo. Players play it on both sides as it is.
  const isMonoToStereo = inputs === 1 && outputs === 2;
  const swr = new SoftwareResampleContext();
  if (setUp(swr, from.channelLayout, to.channelLayout, isMonoToStereo ? [1, 1] : null) >= 0) return swr;
  swr.free();
  // FFmpeg knows no mix for these speakers.
  const matrix = from.channelLayout.order === AV_CHANNEL_ORDER_AMBISONIC ? ambisonicMatrix(inputs, outputs) : averageMatrix(inputs, outputs);
  const own = new SoftwareResampleContext();
  check(setUp(own, unspecifiedLayout(inputs), unspecifiedLayout(outputs), matrix), "resampler");
  return own;
}

const toBytes = (samples: Float32Array, length = samples.length): Buffer => Buffer.from(samples.buffer, samples.byteOffset, length * 4);

export class Resampler {
  readonly #swr: SoftwareResampleContext;
  readonly #inputs: number;
  readonly #outputs: number;
  #output: Float32Array[] = [];
  #interleaved: Float32Array | null = null;
  #buffers: Buffer[] = [];
  #capacity = 0;

  constructor(from: ResampleFormat, to: ResampleFormat) {
    this.#swr = createContext(from, to);
    this.#inputs = from.channelLayout.nbChannels;
    this.#outputs = to.channelLayout.nbChannels;
  }

  /** Returns as many samples as are complete. The next call overwrites them. */
  push({ channels, length }: Block): Block {
    const inputs =
      this.#inputs > MAX_PLANES
        ? [toBytes(interleave(channels, this.#inputs, length))]
        : channels.slice(0, this.#inputs).map((samples) => toBytes(samples, length));
    return this.#convert(inputs, length);
  }

  /** Returns the samples still buffered by the filter delay. */
  flush(): Block {
    return this.#convert(null, 0);
  }

  free(): void {
    this.#swr.free();
  }

  #convert(data: Buffer[] | null, count: number): Block {
    const maxSamples = this.#swr.getOutSamples(count) + 64;
    if (this.#capacity < maxSamples) this.#allocate(maxSamples * 2);
    const length = check(this.#swr.convertSync(this.#buffers, maxSamples, data, count), "resample");
    if (this.#interleaved) deinterleave(this.#interleaved, this.#output, length);
    return { channels: this.#output, length };
  }

  #allocate(capacity: number): void {
    this.#capacity = capacity;
    this.#output = Array.from({ length: this.#outputs }, () => new Float32Array(capacity));
    this.#interleaved = this.#outputs > MAX_PLANES ? new Float32Array(capacity * this.#outputs) : null;
    this.#buffers = (this.#interleaved ? [this.#interleaved] : this.#output).map((samples) => toBytes(samples));
  }
}

function interleave(channels: readonly Float32Array[], count: number, length: number): Float32Array {
  const out = new Float32Array(length * count);
  for (let c = 0; c < count; c++) {
    for (let i = 0, at = c; i < length; i++, at += count) out[at] = channels[c]![i]!;
  }
  return out;
}

function deinterleave(from: Float32Array, channels: readonly Float32Array[], length: number): void {
  for (const [c, out] of channels.entries()) {
    for (let i = 0, at = c; i < length; i++, at += channels.length) out[i] = from[at]!;
  }
}
