/** Defines every audio format used in the tests, encoded with the product's own writer. */
import { AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P, AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P } from "node-av/constants";
import { type AudioTarget, AudioWriter } from "../engine/audio-writer.ts";

interface Recipe extends Pick<AudioTarget, "format" | "codec" | "sampleFormat" | "bitsPerRawSample" | "bitRate" | "codecOptions" | "formatOptions"> {
  extension: string;
  /** True if the decoded samples equal the written samples exactly. */
  lossless: boolean;
  /** True if the format preserves the exact sample count. */
  exactCount: boolean;
  bits: number;
  rates?: number[];
}

const defineRecipes = <K extends string>(all: Record<K, Recipe>): Record<K, Recipe> => all;
const lossless = { lossless: true, exactCount: true };
const lossy = { lossless: false, exactCount: true, bits: 0 };

export const RECIPES = defineRecipes({
  wav8: { ...lossless, extension: "wav", format: "wav", codec: "pcm_u8", bits: 8 },
  wav16: { ...lossless, extension: "wav", format: "wav", codec: "pcm_s16le", bits: 16 },
  wav24: { ...lossless, extension: "wav", format: "wav", codec: "pcm_s24le", bits: 24, bitsPerRawSample: 24 },
  wav32f: { ...lossless, extension: "wav", format: "wav", codec: "pcm_f32le", bits: 32 },
  aiff16: { ...lossless, extension: "aiff", format: "aiff", codec: "pcm_s16be", bits: 16 },
  aiff24: { ...lossless, extension: "aiff", format: "aiff", codec: "pcm_s24be", bits: 24, bitsPerRawSample: 24 },
  flac16: { ...lossless, extension: "flac", format: "flac", codec: "flac", bits: 16, sampleFormat: AV_SAMPLE_FMT_S16 },
  flac24: { ...lossless, extension: "flac", format: "flac", codec: "flac", bits: 24, sampleFormat: AV_SAMPLE_FMT_S32, bitsPerRawSample: 24 },
  alac16: { ...lossless, extension: "m4a", format: "ipod", codec: "alac", bits: 16, sampleFormat: AV_SAMPLE_FMT_S16P },
  alac24: { ...lossless, extension: "m4a", format: "ipod", codec: "alac", bits: 24, sampleFormat: AV_SAMPLE_FMT_S32P, bitsPerRawSample: 24 },
  mp3cbr: { ...lossy, extension: "mp3", format: "mp3", codec: "libmp3lame", bitRate: 192_000 },
  mp3vbr: { ...lossy, extension: "mp3", format: "mp3", codec: "libmp3lame", codecOptions: { flags: "+qscale", global_quality: "354" } },
  /** Omits the Xing header that declares the encoder padding. */
  mp3bare: { ...lossy, exactCount: false, extension: "mp3", format: "mp3", codec: "libmp3lame", bitRate: 192_000, formatOptions: { write_xing: "0" } },
  m4a: { ...lossy, extension: "m4a", format: "ipod", codec: "aac", bitRate: 160_000, formatOptions: { movflags: "+faststart" } },
  adts: { ...lossy, exactCount: false, extension: "aac", format: "adts", codec: "aac", bitRate: 160_000 },
  /** The encoder may lose part of its last block. */
  vorbis: { ...lossy, exactCount: false, extension: "ogg", format: "ogg", codec: "libvorbis" },
  opus: { ...lossy, extension: "opus", format: "ogg", codec: "libopus", bitRate: 128_000, rates: [48_000] },
  webm: { ...lossy, extension: "webm", format: "webm", codec: "libopus", bitRate: 96_000, rates: [48_000] },
  /** Mimics a browser recording without duration and index. */
  webmLive: {
    ...lossy,
    exactCount: false,
    extension: "webm",
    format: "webm",
    codec: "libopus",
    bitRate: 64_000,
    rates: [48_000],
    formatOptions: { live: "1" },
  },
  mka: { ...lossless, extension: "mka", format: "matroska", codec: "pcm_s16le", bits: 16 },
});

export type RecipeName = keyof typeof RECIPES;

type Encoding = Omit<AudioTarget, "path" | "sampleRate" | "channels">;

/** Writes `channels` (float, full scale 1) to `path` in the format of recipe `name`. */
export function encodeFile(path: string, name: RecipeName, channels: readonly Float32Array[], sampleRate: number, metadata: Record<string, string> = {}): void {
  const { extension: _, lossless: __, exactCount: ___, bits: ____, rates: _____, ...target } = RECIPES[name];
  encodeAs(path, { ...target, metadata }, channels, sampleRate);
}

/** Writes `channels` in an encoding without a recipe. */
export function encodeAs(path: string, encoding: Encoding, channels: readonly Float32Array[], sampleRate: number): void {
  const writer = new AudioWriter({ ...encoding, path, sampleRate, channels: channels.length });
  try {
    writer.write(channels, channels[0]!.length);
    writer.finish();
  } finally {
    writer.close();
  }
}
