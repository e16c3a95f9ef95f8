/** Decodes an audio stream to float blocks of one format, whatever changes midway. */
import { AV_CHANNEL_ORDER_CUSTOM } from "node-av/constants";
import { avChannelLayoutDescribe, type Frame } from "node-av/lib";
import { MediaFailure } from "../failure.ts";
import { decodeStream, type DecodeStats } from "./decode.ts";
import { explainNoSound } from "./no-sound.ts";
import type { Input } from "./open.ts";
import { Resampler, type ResampleFormat } from "./resample.ts";
import { type Block, SampleReader } from "./samples.ts";
import { readSpeakers, type Speakers } from "./speakers.ts";

/** Enough for any recording, mix or stem. A file with more channels is an attack or a sensor log. */
const MAX_CHANNELS = 64;
const SAMPLE_RATES = { min: 1_000, max: 768_000 };

export interface AudioFormat extends ResampleFormat, Speakers {
  channels: number;
}

export interface AudioStreamResult extends AudioFormat, DecodeStats {
  /** Samples of all channels that were no numbers or far beyond full scale, and were replaced by silence. */
  badSamples: number;
}

function readFormat(frame: Frame): AudioFormat {
  const { sampleRate, channels, channelLayout } = frame;
  if (!(channels >= 1 && channels <= MAX_CHANNELS))
    throw new MediaFailure("not-supported", "", `This file has ${channels} channels. Up to ${MAX_CHANNELS} are supported.`);
  if (!(sampleRate >= SAMPLE_RATES.min && sampleRate <= SAMPLE_RATES.max))
    throw new MediaFailure("not-supported", "", `A sample rate of ${sampleRate} Hz is not supported.`);
  return { sampleRate, channels, ...readSpeakers(channelLayout, channels) };
}

const reorder = ({ channels, length }: Block, order: readonly number[] | null): Block =>
  order === null ? { channels, length } : { channels: order.map((position) => channels[position]!), length };

const formatKey = ({ sampleRate, channels, channelLayout }: Frame): string =>
  `${sampleRate}/${channels}/${channelLayout.order === AV_CHANNEL_ORDER_CUSTOM ? avChannelLayoutDescribe(channelLayout) : channelLayout.mask}`;

/** Converters that stay open, because a hostile file changes its format at every frame. */
const MAX_CONVERTERS = 8;

interface Converter {
  key: string;
  order: AudioFormat["order"];
  resampler: Resampler;
}

/** Reads frames as blocks in the format of the first frame: later frames of another rate or other channels (chained Ogg, MPEG, ADTS) are converted. */
class BlockReader {
  readonly #reader = new SampleReader();
  readonly #converters: Converter[] = [];
  #key = "";
  #current: Converter | null = null;
  format: AudioFormat | null = null;

  get badSamples(): number {
    return this.#reader.badSamples;
  }

  *read(frame: Frame): Generator<Block> {
    const key = formatKey(frame);
    if (!this.format) {
      this.format = readFormat(frame);
      this.#key = key;
    }
    if (this.#current && key !== this.#current.key) yield* this.finish();
    if (key === this.#key) {
      yield reorder(this.#reader.read(frame), this.format.order);
      return;
    }
    this.#current ??= this.#openConverter(key, frame, this.format);
    yield this.#current.resampler.push(reorder(this.#reader.read(frame), this.#current.order));
  }

  *finish(): Generator<Block> {
    if (!this.#current) return;
    yield this.#current.resampler.flush();
    this.#current = null;
  }

  free(): void {
    for (const { resampler } of this.#converters) resampler.free();
  }

  #openConverter(key: string, frame: Frame, to: AudioFormat): Converter {
    const open = this.#converters.find((converter) => converter.key === key);
    if (open) {
      open.resampler.restart();
      return open;
    }
    const format = readFormat(frame);
    if (this.#converters.length === MAX_CONVERTERS) this.#converters.shift()!.resampler.free();
    const converter = { key, order: format.order, resampler: new Resampler(format, to) };
    this.#converters.push(converter);
    return converter;
  }
}

/**
 * Decodes the whole stream. `onBlock` receives blocks of the returned format, valid during the call only. `spend` receives the samples of all channels that
 * each frame costs, and may throw to end the decoding.
 */
export async function decodeBlocks(
  input: Input,
  onBlock: (block: Block, format: AudioFormat) => void,
  spend?: (samples: number) => void,
): Promise<AudioStreamResult> {
  const stream = input.audio;
  if (!stream) throw new MediaFailure("not-media", "no audio stream");
  const reader = new BlockReader();
  const pass = (blocks: Iterable<Block>): number => {
    let samples = 0;
    for (const block of blocks) {
      samples += block.length;
      if (block.length > 0) onBlock(block, reader.format!);
    }
    return samples;
  };
  try {
    const decoded = await decodeStream(input, stream, (frame) => {
      const samples = pass(reader.read(frame));
      spend?.(Math.max(samples * reader.format!.channels, frame.nbSamples * frame.channels));
    });
    pass(reader.finish());
    if (!reader.format) throw explainNoSound(input, stream, decoded);
    return { ...reader.format, ...decoded, badSamples: reader.badSamples };
  } finally {
    reader.free();
  }
}

/** Decodes the whole stream, converted to these speakers at this rate. */
export async function decodeConverted(input: Input, to: ResampleFormat, onBlock: (block: Block) => void): Promise<void> {
  const open: Resampler[] = [];
  const openResampler = (format: AudioFormat): Resampler => {
    const resampler = new Resampler(format, to);
    open.push(resampler);
    return resampler;
  };
  try {
    await decodeBlocks(input, (block, format) => onBlock((open[0] ?? openResampler(format)).push(block)));
    for (const resampler of open) onBlock(resampler.flush());
  } finally {
    for (const resampler of open) resampler.free();
  }
}
