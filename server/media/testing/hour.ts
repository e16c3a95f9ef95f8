/** Writes long audio files by repeating one minute of noise, which is cheap to generate. */
import { AudioWriter } from "../engine/audio-writer.ts";
import { noise } from "./signals.ts";

export const MINUTES = 60;

/** Writes slightly more than an hour of stereo and returns the sample count per channel. 16-bit WAV at 44.1 kHz takes 635 MB. */
export function writeHour(path: string, format: string, codec: string, { bitRate = 192_000, rate = 44_100, minutes = MINUTES } = {}): number {
  const writer = new AudioWriter({ path, format, codec, sampleRate: rate, channels: 2, bitRate });
  const minute = [noise(0.3, 60, rate, 1), noise(0.3, 60, rate, 2)];
  for (let n = 0; n < minutes; n++) writer.write(minute, minute[0]!.length);
  // Avoids a length that is a multiple of any block size.
  writer.write(minute, 137);
  writer.finish();
  return writer.written;
}
