/** The streaming copy of sound: AAC-LC at 192 kb/s stereo in an .m4a whose index stands in front. */
import { Resampler } from "../engine/resample.ts";
import { AudioWriter } from "../engine/audio-writer.ts";
import { decodeStream } from "../engine/decode.ts";
import type { Input } from "../engine/open.ts";
import { MediaFailure } from "../failure.ts";

const BIT_RATE_PER_CHANNEL = 96_000;
/** Rates that AAC and every browser take; all others become 48 kHz (44.1 kHz for its multiples). */
const SUPPORTED_SAMPLE_RATES = new Set([8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]);

export const copySampleRate = (rate: number): number => (SUPPORTED_SAMPLE_RATES.has(rate) ? rate : rate > 44_100 && rate % 11_025 === 0 ? 44_100 : 48_000);

export interface AudioCopyOptions {
  path: string;
  /** As decoded. */
  sampleRate: number;
  channels: number;
  /** Samples per channel handled so far. */
  onSamples(done: number): void;
}

/** More than two channels are mixed down to stereo. */
export async function encodeAudioCopy(input: Input, { path, sampleRate, channels, onSamples }: AudioCopyOptions): Promise<void> {
  const stream = input.audio;
  if (!stream) throw new MediaFailure("not-media", "no audio stream to copy");
  const channelCount = Math.min(2, channels);
  const rate = copySampleRate(sampleRate);
  const writer = new AudioWriter({
    path,
    format: "ipod",
    codec: "aac",
    sampleRate: rate,
    channels: channelCount,
    bitRate: BIT_RATE_PER_CHANNEL * channelCount,
    // Five times as fast as the standard search, which gains nothing at this rate.
    codecOptions: { aac_coder: "fast" },
    formatOptions: { movflags: "+faststart" },
  });
  const resampler = new Resampler(channelCount, rate);
  let done = 0;
  try {
    await decodeStream(input, stream, (frame) => {
      const block = resampler.pushFrame(frame);
      writer.write(block.channels, block.length);
      onSamples((done += frame.nbSamples));
    });
    const tail = resampler.flush();
    writer.write(tail.channels, tail.length);
    writer.finish();
  } finally {
    writer.close();
    resampler.free();
  }
}
