/** One decoding pass that feeds everything which listens: counting, peaks, loudness, tempo, key, labels. */
import type { Frame } from "node-av/lib";
import { avChannelLayoutDescribe } from "node-av/lib";
import { MediaFailure } from "../failure.ts";
import { decodeStream, type Decoded } from "./decode.ts";
import type { Input } from "./open.ts";
import { Resampler } from "./resample.ts";
import { type Block, BlockReader } from "./samples.ts";

/** A recording, a mix or a stem; more is no audio file but an attack or a sensor log. */
const MOST_CHANNELS = 64;
const RATES = { least: 1_000, most: 768_000 };

export interface SoundNature {
  sampleRate: number;
  channels: number;
  layout: string;
  /** Speaker bits of the engine's channel mask. */
  mask: bigint;
}

export interface Listener {
  push(block: Block): void;
}

/** A listener that wants one channel at a rate of its own. */
export interface MonoListener {
  rate: number;
  push(block: Block): void;
}

export interface PassResult extends SoundNature, Decoded {
  samples: number;
}

function natureOf(frame: Frame): SoundNature {
  const { sampleRate, channels, channelLayout } = frame;
  if (!(channels >= 1 && channels <= MOST_CHANNELS)) throw new MediaFailure("not-supported", "", `${channels} channels are more than this service handles.`);
  if (!(sampleRate >= RATES.least && sampleRate <= RATES.most))
    throw new MediaFailure("not-supported", "", `A sample rate of ${sampleRate} Hz is not supported.`);
  return { sampleRate, channels, layout: avChannelLayoutDescribe(channelLayout) ?? `${channels} channels`, mask: channelLayout.mask };
}

/**
 * The first frame decides rate and channels; a stream that changes midway (chained Ogg) is converted to them.
 * `listen` is called once, with that nature, and answers who listens.
 */
export async function listenTo(
  input: Input,
  listen: (nature: SoundNature) => { full: Listener[]; mono: MonoListener[] },
  onSamples: (done: number, rate: number) => void,
): Promise<PassResult> {
  const stream = input.audio;
  if (!stream) throw new MediaFailure("not-media", "no audio stream");
  let nature: SoundNature | null = null;
  let reader: BlockReader | null = null;
  let steady: Resampler | null = null;
  let full: Listener[] = [];
  let mono: { listener: MonoListener; resampler: Resampler }[] = [];
  let samples = 0;
  const decoded = await decodeStream(input, stream, (frame) => {
    if (!nature) {
      nature = natureOf(frame);
      reader = new BlockReader(nature.channels);
      const listeners = listen(nature);
      full = listeners.full;
      mono = listeners.mono.map((listener) => ({ listener, resampler: new Resampler(1, listener.rate) }));
    }
    const same = frame.sampleRate === nature.sampleRate;
    const block = same ? reader!.read(frame) : (steady ??= new Resampler(nature.channels, nature.sampleRate)).pushFrame(frame);
    samples += block.length;
    for (const listener of full) listener.push(block);
    for (const { listener, resampler } of mono) listener.push(resampler.pushFrame(frame));
    onSamples(samples, nature.sampleRate);
  });
  for (const { listener, resampler } of mono) {
    listener.push(resampler.flush());
    resampler.free();
  }
  if (!nature || samples === 0) throw new MediaFailure("damaged", `no frame decoded, ${decoded.broken} broken packets`);
  return { ...(nature as SoundNature), ...decoded, samples };
}
