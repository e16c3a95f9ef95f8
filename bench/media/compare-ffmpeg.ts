/**
 * Compares sample counts, loudness and peaks with the ffmpeg command line: `node bench/media/compare-ffmpeg.ts [folder with
 * music]`. Without a folder, it uses every format that the tests can write.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readHeader } from "../../server/media/peaks/dat.ts";
import { createTestFolder } from "../../server/media/testing/folder.ts";
import { runStepsInProcess } from "../../server/media/testing/in-process.ts";
import { encodeFile, RECIPES, type RecipeName } from "../../server/media/testing/formats.ts";
import { HELD_OUT } from "../../server/media/testing/held-out.ts";
import { renderSong } from "../../server/media/testing/song.ts";

const HEADER_BYTES = 24;
const SAMPLES_PER_PIXEL = 64;
/** Seconds, an odd length, so that the last block of every codec is incomplete. */
const SONG_SECONDS = 20.0321;

using folder = createTestFolder();

interface ReferenceResult {
  samples: number;
  loudness: number;
  range: number;
  truePeak: number;
  /** Minimum and maximum of every 64 samples of every channel, full scale 1, in the order of the peaks file. */
  peaks: Float32Array;
}

function measureWithFfmpeg(path: string, channels: number): ReferenceResult {
  const raw = execFileSync("ffmpeg", ["-v", "error", "-i", path, "-vn", "-f", "f32le", "-"], { maxBuffer: 2 ** 30 });
  const values = new Float32Array(raw.buffer, raw.byteOffset, Math.floor(raw.length / 4));
  const samples = values.length / channels;
  const pixels = Math.ceil(samples / SAMPLES_PER_PIXEL);
  const peaks = new Float32Array(pixels * channels * 2).fill(0);
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    for (let channel = 0; channel < channels; channel += 1) {
      let [low, high] = [Infinity, -Infinity];
      for (let index = pixel * SAMPLES_PER_PIXEL; index < Math.min(samples, (pixel + 1) * SAMPLES_PER_PIXEL); index += 1) {
        const value = values[index * channels + channel] ?? 0;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
      peaks[(pixel * channels + channel) * 2] = low;
      peaks[(pixel * channels + channel) * 2 + 1] = high;
    }
  }
  const { stderr } = spawnSync("ffmpeg", ["-hide_banner", "-nostats", "-i", path, "-vn", "-af", "ebur128=peak=true:framelog=verbose", "-f", "null", "-"], {
    encoding: "utf8",
  });
  const summary = stderr.slice(stderr.lastIndexOf("Summary:"));
  const read = (name: string): number => Number(new RegExp(`${name}:\\s+(-?[\\d.]+|-inf)`).exec(summary)?.[1] ?? Number.NaN);
  return { samples, loudness: read("I"), range: read("LRA"), truePeak: read("Peak"), peaks };
}

/** Returns the largest difference between a stored and the true peak value, in 8-bit steps of the file. */
function maxPeakError(dat: Buffer, peaks: Float32Array): number {
  const { length, channels } = readHeader(dat);
  let maxError = 0;
  for (let index = 0; index < Math.min(peaks.length, length * channels * 2); index += 1) {
    const expected = Math.min(127, Math.max(-128, (peaks[index] ?? 0) * 128));
    maxError = Math.max(maxError, Math.abs(dat.readInt8(HEADER_BYTES + index) - expected));
  }
  return maxError;
}

async function compare(path: string): Promise<Record<string, number | string>> {
  const { probe, peaks, loudness } = await runStepsInProcess(path, folder.path, ["probe", "peaks", "loudness"]);
  const audio = probe?.audio;
  const base = peaks?.levels[0];
  if (!audio || !base || !loudness) throw new Error(`${path} has no sound`);
  const reference = measureWithFfmpeg(path, audio.channels);
  return {
    samples: audio.samples,
    "ffmpeg's": reference.samples,
    LUFS: loudness.integrated ?? "silent",
    "ffmpeg's LUFS": reference.loudness,
    "range, LU": loudness.range ?? "-",
    "ffmpeg's range": reference.range,
    "true peak, dBTP": loudness.truePeak ?? "-",
    "ffmpeg's peak": reference.truePeak,
    "peaks off by, of 128": Number(maxPeakError(readFileSync(folder.resolve(base.file)), reference.peaks).toFixed(2)),
  };
}

function writeTestFiles(): [string, string][] {
  const style = HELD_OUT[0];
  if (!style) throw new Error("There is no style to write");
  return (Object.keys(RECIPES) as RecipeName[]).map((name) => {
    const { rates, extension } = RECIPES[name];
    const rate = rates?.[0] ?? 44_100;
    const left = renderSong({ style, seed: 3, seconds: SONG_SECONDS, bpm: 118, tonic: 9, mode: "minor" }, rate);
    const path = folder.resolve(`${name}.${extension}`);
    encodeFile(path, name, [left, left.map((value) => value * 0.8)], rate);
    return [name, path];
  });
}

const [musicFolder] = process.argv.slice(2);
const files = musicFolder === undefined ? writeTestFiles() : readdirSync(musicFolder).map((name): [string, string] => [name, join(musicFolder, name)]);
const table: Record<string, Record<string, number | string>> = {};
for (const [name, path] of files) table[name] = await compare(path);
console.log(execFileSync("ffmpeg", ["-version"], { encoding: "utf8" }).split("\n")[0]);
console.table(table);
