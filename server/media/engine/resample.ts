/** Converts sample rate and channels of float blocks with FFmpeg's resampler. */
import { AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP, type AVSampleFormat } from "node-av/constants";
import { type ChannelLayout, SoftwareResampleContext } from "node-av/lib";
import { check } from "./av.ts";
import type { Block } from "./samples.ts";
import { averageMatrix, mixMatrix, unspecifiedLayout } from "./speakers.ts";

export interface ResampleFormat {
  /** In Hz. */
  sampleRate: number;
  /** Never a custom order, which the binding cannot pass on. */
  channelLayout: ChannelLayout;
}

/** The binding takes up to 8 planes, so more channels go through it interleaved. */
const MAX_PLANES = 8;

function createContext(from: ResampleFormat, to: ResampleFormat): SoftwareResampleContext {
  const [inputs, outputs] = [from.channelLayout.nbChannels, to.channelLayout.nbChannels];
  const sampleFormat = (channels: number): AVSampleFormat => (channels > MAX_PLANES ? AV_SAMPLE_FMT_FLT : AV_SAMPLE_FMT_FLTP);
  const setUp = (swr: SoftwareResampleContext, input: ChannelLayout, output: ChannelLayout, matrix: number[] | null): number => {
    const allocated = swr.allocSetOpts2(output, sampleFormat(outputs), to.sampleRate, input, sampleFormat(inputs), from.sampleRate);
    if (allocated < 0) return allocated;
    // Like the mixes of our own, FFmpeg's must not leave full scale.
    check(swr.setOption("rematrix_maxval", 1), "resampler");
    const mixed = matrix ? swr.setMatrix(matrix, inputs) : 0;
    return mixed < 0 ? mixed : swr.init();
  };
  const swr = new SoftwareResampleContext();
  const matrix = mixMatrix(from.channelLayout, to.channelLayout);
  if (!matrix && setUp(swr, from.channelLayout, to.channelLayout, null) >= 0) return swr;
  swr.free();
  const own = new SoftwareResampleContext();
  check(setUp(own, unspecifiedLayout(inputs), unspecifiedLayout(outputs), matrix ?? averageMatrix(inputs, outputs)), "resampler");
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

  /** Drops the samples still in the filters, so that a new sound can follow a flush. Creating the filters again would cost much more than a frame. */
  restart(): void {
    check(this.#swr.init(), "resampler");
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
