/** Runs one decoding pass that feeds every sink: sample count, peaks, loudness, tempo, key and labels. */
import type { Frame } from "node-av/lib";
import { avChannelLayoutDescribe } from "node-av/lib";
import { MediaFailure } from "../failure.ts";
import { decodeStream, type DecodeStats } from "./decode.ts";
import type { Input } from "./open.ts";
import { Resampler } from "./resample.ts";
import { type Block, BlockReader } from "./samples.ts";

/** Enough for any recording, mix or stem. A file with more channels is an attack or a sensor log. */
const MAX_CHANNELS = 64;
const SAMPLE_RATES = { min: 1_000, max: 768_000 };

export interface AudioFormat {
  sampleRate: number;
  channels: number;
  layout: string;
  /** Speaker bits of FFmpeg's channel mask. */
  mask: bigint;
}

export interface AudioSink {
  push(block: Block): void;
}

/** Sink that receives one channel at its own sample rate. */
export interface MonoSink {
  rate: number;
  push(block: Block): void;
}

export interface PassResult extends AudioFormat, DecodeStats {
  samples: number;
}

function readAudioFormat(frame: Frame): AudioFormat {
  const { sampleRate, channels, channelLayout } = frame;
  if (!(channels >= 1 && channels <= MAX_CHANNELS)) throw new MediaFailure("not-supported", "", `${channels} channels are more than this service handles.`);
  if (!(sampleRate >= SAMPLE_RATES.min && sampleRate <= SAMPLE_RATES.max))
    throw new MediaFailure("not-supported", "", `A sample rate of ${sampleRate} Hz is not supported.`);
  return { sampleRate, channels, layout: avChannelLayoutDescribe(channelLayout) ?? `${channels} channels`, mask: channelLayout.mask };
}

/**
 * Decodes the stream into all sinks. The first frame sets the sample rate and channel count, and a stream that changes
 * midway (chained Ogg) is converted to them. `createSinks` is called once, with that format, and returns the sinks. `spend` receives the samples of all
 * channels and may throw to end the pass.
 */
export async function decodeAudio(
  input: Input,
  spend: (samples: number) => void,
  createSinks: (format: AudioFormat) => { full: AudioSink[]; mono: MonoSink[] },
  onSamples: (done: number, rate: number) => void,
): Promise<PassResult> {
  const stream = input.audio;
  if (!stream) throw new MediaFailure("not-media", "no audio stream");
  let format: AudioFormat | null = null;
  let reader: BlockReader | null = null;
  let converter: Resampler | null = null;
  let full: AudioSink[] = [];
  let mono: { sink: MonoSink; resampler: Resampler }[] = [];
  let samples = 0;
  const decoded = await decodeStream(input, stream, (frame) => {
    if (!format) {
      format = readAudioFormat(frame);
      reader = new BlockReader(format.channels);
      const sinks = createSinks(format);
      full = sinks.full;
      mono = sinks.mono.map((sink) => ({ sink, resampler: new Resampler(1, sink.rate) }));
    }
    const isSameRate = frame.sampleRate === format.sampleRate;
    const block = isSameRate ? reader!.read(frame) : (converter ??= new Resampler(format.channels, format.sampleRate)).pushFrame(frame);
    samples += block.length;
    spend(block.length * format.channels);
    for (const sink of full) sink.push(block);
    for (const { sink, resampler } of mono) sink.push(resampler.pushFrame(frame));
    onSamples(samples, format.sampleRate);
  });
  for (const { sink, resampler } of mono) {
    sink.push(resampler.flush());
    resampler.free();
  }
  if (!format || samples === 0) throw new MediaFailure("damaged", `no frame decoded, ${decoded.brokenPackets} broken packets`);
  return { ...(format as AudioFormat), ...decoded, samples };
}
