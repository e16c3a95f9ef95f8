/** Writes generated audio to a file with the same encoder as the streaming copies. */
import { AV_SAMPLE_FMT_S16 } from "node-av/constants";
import sharp from "sharp";
import { type AudioTarget, AudioWriter } from "./engine/audio-writer.ts";

const FORMATS = {
  flac: { format: "flac", codec: "flac", sampleFormat: AV_SAMPLE_FMT_S16 },
  /** Matches a browser's voice recording. 48 kHz only. */
  webm: { format: "webm", codec: "libopus", bitRate: 48_000 },
} satisfies Record<string, Pick<AudioTarget, "format" | "codec" | "sampleFormat" | "bitRate">>;

/** Writes `channels`, float samples with a full scale of 1. */
export function writeAudioFile(path: string, format: keyof typeof FORMATS, channels: readonly Float32Array[], sampleRate: number): void {
  const writer = new AudioWriter({ ...FORMATS[format], path, sampleRate, channels: channels.length });
  try {
    writer.write(channels, channels[0]?.length ?? 0);
    writer.finish();
  } finally {
    writer.close();
  }
}

/* Renders generated SVG drawings to PNG. */

/** `svg` must not contain text, because the fonts of the machine are unknown. */
export const svgToPng = (svg: string): Promise<Buffer> => sharp(Buffer.from(svg)).png({ palette: true, quality: 90 }).toBuffer();
