/** Limits what a file may decode to for its size, so that a few kilobytes cannot keep a worker busy for hours. */
import { MediaFailure } from "../failure.ts";

interface Budget {
  /** For files of any size. */
  floor: number;
  /** For each byte of the file. */
  perByte: number;
  /** From this limit on, each further byte counts `perFurtherByte`: only short recordings are as dense as `perByte` from beginning to end. */
  knee?: number;
  perFurtherByte?: number;
  /** For files of any size. */
  ceiling: number;
}

/**
 * Samples of all channels. The densest that encoders make by default is digital silence: 2,030 samples per byte in FLAC at 192 kHz, 1,054 with 8 channels,
 * at most 886 in other formats. The floor is 10 minutes of stereo at 48 kHz, about 2 s of processor time; the ceiling is 58 hours of it. The knee is an hour
 * of silence at 192 kHz; beyond it, eight hours of a muted microphone in Opus are allowed, and recordings with sound are below 100 anyway.
 */
const AUDIO: Budget = { floor: 60_000_000, perByte: 2_500, knee: 1_500_000_000, perFurtherByte: 250, ceiling: 20_000_000_000 };
/**
 * Pixels of all frames that are encoded. A still picture at 30 frames per second takes about 50,000 pixels per byte. The floor is 5 minutes of 1080p at
 * 30 frames per second; the ceiling is 12 hours of it at 60.
 */
const VIDEO: Budget = { floor: 18_700_000_000, perByte: 50_000, ceiling: 5_400_000_000_000 };
/** Bytes of all results. Waveform and copy of a voice note at 6 kbit/s take about 20 times its size. */
const OUTPUT: Budget = { floor: 64_000_000, perByte: 30, ceiling: Number.POSITIVE_INFINITY };

function limitOf({ floor, perByte, knee = Number.POSITIVE_INFINITY, perFurtherByte = perByte, ceiling }: Budget, bytes: number): number {
  const furtherBytes = Math.max(0, bytes - knee / perByte);
  return Math.min(ceiling, Math.max(floor, (bytes - furtherBytes) * perByte + furtherBytes * perFurtherByte));
}

/** Returns the most bytes that the results for a file of this size may take. */
export const outputLimit = (bytes: number): number => limitOf(OUTPUT, bytes);

/** Returns a function that counts what is decoded from a file of this size, and throws `too-dense` beyond the limit. */
export function createDecodeBudget(unit: "audio" | "video", bytes: number): (amount: number) => void {
  const budget = unit === "audio" ? AUDIO : VIDEO;
  const limit = limitOf(budget, bytes);
  let spent = 0;
  return (amount) => {
    spent += amount;
    if (spent <= limit) return;
    const isLong = limit === budget.ceiling;
    throw isLong
      ? new MediaFailure("too-long", `${limit} ${unit}`, `This recording is longer than this service can process.`)
      : new MediaFailure("too-dense", `${limit} ${unit}`, `This file decodes to far more ${unit} than its size suggests, so it was not processed.`);
  };
}
