/** Encodes the streaming copy of audio: AAC-LC at 192 kb/s stereo in an .m4a with the index at the front. */
import { decodeConverted } from "../engine/audio-stream.ts";
import { AudioWriter } from "../engine/audio-writer.ts";
import type { Input } from "../engine/open.ts";
import { defaultLayout } from "../engine/speakers.ts";

const BIT_RATE_PER_CHANNEL = 96_000;
/** Every browser plays these. At lower rates a block of AAC lasts so long that a player is silent for up to 90 ms after a seek. */
const COPY_SAMPLE_RATES = new Set([32_000, 44_100, 48_000]);

/** Returns 44.1 kHz for its multiples and fractions, and 48 kHz for other rates that a copy cannot have. */
const copySampleRate = (rate: number): number => (COPY_SAMPLE_RATES.has(rate) ? rate : rate % 11_025 === 0 ? 44_100 : 48_000);

export interface AudioCopyOptions {
  path: string;
  /** Decoded samples per channel. */
  samples: number;
  /** Sample rate of the decoded audio. */
  sampleRate: number;
  channels: number;
  /** Receives the samples per channel processed so far. */
  onSamples(done: number): void;
}

/** Encodes the audio stream, mixing more than two channels down to stereo. */
export async function encodeAudioCopy(input: Input, { path, samples, sampleRate, channels, onSamples }: AudioCopyOptions): Promise<void> {
  const channelCount = Math.min(2, channels);
  const rate = copySampleRate(sampleRate);
  const writer = new AudioWriter({
    path,
    format: "ipod",
    codec: "aac",
    sampleRate: rate,
    channels: channelCount,
    bitRate: BIT_RATE_PER_CHANNEL * channelCount,
    // The fast coder runs five times as fast as the default search, which gains nothing at this bit rate.
    codecOptions: { aac_coder: "fast" },
    formatOptions: { movflags: "+faststart" },
  });
  let done = 0;
  try {
    await decodeConverted(input, { sampleRate: rate, channelLayout: defaultLayout(channelCount) }, (block) => {
      writer.write(block.channels, block.length);
      onSamples(((done += block.length) * sampleRate) / rate);
    });
    padWithSilence(writer, channelCount, Math.max(1, Math.round((samples * rate) / sampleRate)));
    writer.finish();
  } finally {
    writer.close();
  }
}

/** Extends the copy to `length` samples: the resampler returns nothing for sounds shorter than its filter. */
function padWithSilence(writer: AudioWriter, channels: number, length: number): void {
  const missing = length - writer.written;
  if (missing > 0)
    writer.write(
      Array.from({ length: channels }, () => new Float32Array(missing)),
      missing,
    );
}
