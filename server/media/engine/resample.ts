/** Converts sample rate and channel count with FFmpeg, from decoded frames to float blocks. */
import { AV_SAMPLE_FMT_FLTP, type AVSampleFormat } from "node-av/constants";
import { avChannelLayoutDefault, SoftwareResampleContext, type Frame } from "node-av/lib";
import { check } from "./av.ts";
import type { Block } from "./samples.ts";

export class Resampler {
  readonly #swr = new SoftwareResampleContext();
  readonly #channels: number;
  readonly #toRate: number;
  #output: Float32Array[] = [];
  #buffers: Buffer[] = [];
  #from = "";

  constructor(channels: number, toRate: number) {
    this.#channels = channels;
    this.#toRate = toRate;
  }

  /** Configures the resampler from the first frame and again if the stream format changes midway. */
  pushFrame(frame: Frame): Block {
    const formatKey = `${frame.format}/${frame.sampleRate}/${frame.channels}`;
    if (formatKey !== this.#from) this.#setUp(formatKey, frame);
    return this.#convert(frame.extendedData ?? frame.data, frame.nbSamples);
  }

  /** Returns the samples still buffered by the filter delay. */
  flush(): Block {
    return this.#from === "" ? { channels: this.#output, length: 0 } : this.#convert(null, 0);
  }

  free(): void {
    this.#swr.free();
  }

  #setUp(formatKey: string, frame: Frame): void {
    const { channelLayout } = frame;
    // A raw file may declare no speaker positions, which mixing requires.
    const layout = channelLayout.mask === 0n ? avChannelLayoutDefault(frame.channels) : channelLayout;
    const out = avChannelLayoutDefault(this.#channels);
    const format = frame.format as AVSampleFormat;
    check(this.#swr.allocSetOpts2(out, AV_SAMPLE_FMT_FLTP, this.#toRate, layout, format, frame.sampleRate), "resampler");
    check(this.#swr.init(), "resampler");
    this.#from = formatKey;
  }

  #convert(data: Buffer[] | null, count: number): Block {
    const maxSamples = this.#swr.getOutSamples(count) + 64;
    if ((this.#output[0]?.length ?? 0) < maxSamples) {
      this.#output = Array.from({ length: this.#channels }, () => new Float32Array(maxSamples * 2));
      this.#buffers = this.#output.map((samples) => Buffer.from(samples.buffer));
    }
    const length = check(this.#swr.convertSync(this.#buffers, maxSamples, data, count), "resample");
    return { channels: this.#output, length };
  }
}
