/** Reads and writes whole audio files in memory. Only for short files of the project itself; uploads are decoded in the media process. */
import { AV_SAMPLE_FMT_S16 } from "node-av/constants";
import { type AudioTarget, AudioWriter } from "./engine/audio-writer.ts";
import { decodeConverted } from "./engine/audio-stream.ts";
import { openInput } from "./engine/open.ts";
import { defaultLayout } from "./engine/speakers.ts";
import type { Block } from "./engine/samples.ts";

const FORMATS = {
  flac: { format: "flac", codec: "flac", sampleFormat: AV_SAMPLE_FMT_S16 },
  /** Opus in WebM, like a browser's voice recording. 48 kHz only. */
  webm: { format: "webm", codec: "libopus", bitRate: 48_000 },
} satisfies Record<string, Pick<AudioTarget, "format" | "codec" | "sampleFormat" | "bitRate">>;

export interface AudioFileOptions {
  format: keyof typeof FORMATS;
  /** In Hz. */
  sampleRate: number;
  /** Bits per second; lossless formats ignore it. */
  bitRate?: number;
}

const WAV_HEADER_BYTES = 44;

/** Writes `channels`, float samples with a full scale of 1. */
export function writeAudioFile(path: string, channels: readonly Float32Array[], { format, ...options }: AudioFileOptions): void {
  const writer = new AudioWriter({ ...FORMATS[format], ...options, path, channels: channels.length });
  try {
    writer.write(channels, channels[0]?.length ?? 0);
    writer.finish();
  } finally {
    writer.close();
  }
}

/** Returns one array of samples per channel, full scale 1, at `sampleRate` (Hz). Yields to the event loop every 100 ms. */
export async function readAudioFile(path: string, { sampleRate, channels }: { sampleRate: number; channels: number }): Promise<Float32Array[]> {
  const input = openInput(path);
  const blocks: Float32Array[][] = [];
  const store = ({ channels: samples, length }: Block) => void blocks.push(samples.map((all) => all.slice(0, length)));
  try {
    await decodeConverted(input, { sampleRate, channelLayout: defaultLayout(channels) }, store);
  } finally {
    input.close();
  }
  return Array.from({ length: channels }, (_, channel) => concatenate(blocks.map((block) => block[channel]!)));
}

function concatenate(blocks: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const block of blocks) {
    whole.set(block, offset);
    offset += block.length;
  }
  return whole;
}

/** Encodes stereo samples, full scale 1, as a WAV file with 16 bits. */
export function encodeWav([left, right]: readonly [Float32Array, Float32Array], sampleRate: number): Buffer {
  const bytes = left.length * 4;
  const file = Buffer.alloc(WAV_HEADER_BYTES + bytes);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(WAV_HEADER_BYTES - 8 + bytes, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(2, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 4, 28);
  file.writeUInt16LE(4, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(bytes, 40);
  const samples = new Int16Array(left.length * 2);
  const toInteger = (value: number): number => Math.max(-32_768, Math.min(32_767, Math.round(value * 32_767)));
  for (let i = 0; i < left.length; i++) {
    samples[2 * i] = toInteger(left[i]!);
    samples[2 * i + 1] = toInteger(right[i]!);
  }
  Buffer.from(samples.buffer).copy(file, WAV_HEADER_BYTES);
  return file;
}
