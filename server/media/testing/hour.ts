/** Sound that lasts: one minute of noise over and over, so that writing costs little. */
import { AudioWriter } from "../engine/audio-writer.ts";
import { noise } from "./signals.ts";

export const MINUTES = 60;

/** Writes an hour and a little in stereo, and answers how many samples that are. As 16-bit WAV at 44.1 kHz it takes 635 MB. */
export function writeHour(path: string, format: string, codec: string, { bitRate = 192_000, rate = 44_100, minutes = MINUTES } = {}): number {
  const writer = new AudioWriter({ path, format, codec, sampleRate: rate, channels: 2, bitRate });
  const minute = [noise(0.3, 60, rate, 1), noise(0.3, 60, rate, 2)];
  for (let n = 0; n < minutes; n++) writer.write(minute, minute[0]!.length);
  // Not a whole number of anything.
  writer.write(minute, 137);
  writer.finish();
  return writer.written;
}
