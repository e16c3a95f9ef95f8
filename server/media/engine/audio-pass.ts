/** Runs one decoding pass that feeds every sink: sample count, peaks, loudness, tempo, key and labels. */
import { MediaFailure } from "../failure.ts";
import { type AudioFormat, type AudioStreamResult, decodeBlocks } from "./audio-stream.ts";
import type { Input } from "./open.ts";
import { Resampler } from "./resample.ts";
import type { Block } from "./samples.ts";
import { defaultLayout } from "./speakers.ts";

export interface AudioSink {
  push(block: Block): void;
}

/** Sink that receives one channel at its own sample rate. */
export interface MonoSink {
  rate: number;
  push(block: Block): void;
}

export interface PassResult extends AudioStreamResult {
  samples: number;
}

/**
 * Decodes the stream into all sinks. `createSinks` is called once, with the format of all blocks, and returns the sinks. `spend` receives the samples of all
 * channels and may throw to end the pass.
 */
export async function decodeAudio(
  input: Input,
  spend: (samples: number) => void,
  createSinks: (format: AudioFormat) => { full: AudioSink[]; mono: MonoSink[] },
  onSamples: (done: number, rate: number) => void,
): Promise<PassResult> {
  let full: AudioSink[] | null = null;
  const mono: { sink: MonoSink; resampler: Resampler }[] = [];
  let samples = 0;
  const addSinks = (format: AudioFormat): AudioSink[] => {
    const sinks = createSinks(format);
    for (const sink of sinks.mono) mono.push({ sink, resampler: new Resampler(format, { sampleRate: sink.rate, channelLayout: defaultLayout(1) }) });
    return sinks.full;
  };
  try {
    const decoded = await decodeBlocks(
      input,
      (block, format) => {
        full ??= addSinks(format);
        samples += block.length;
        for (const sink of full) sink.push(block);
        for (const { sink, resampler } of mono) sink.push(resampler.push(block));
        onSamples(samples, format.sampleRate);
      },
      spend,
    );
    if (samples === 0) throw new MediaFailure("damaged", `no samples, ${decoded.brokenPackets} broken packets`);
    for (const { sink, resampler } of mono) sink.push(resampler.flush());
    return { ...decoded, samples };
  } finally {
    for (const { resampler } of mono) resampler.free();
  }
}
