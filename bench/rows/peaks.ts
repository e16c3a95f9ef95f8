/** Peaks and the whole processing of audio. */
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Benchmark, Line } from "../lib/benchmark.ts";
import type { MediaCalls } from "./media-process.ts";

/** Of the short file, an MP3. */
const SONG_SECONDS = 240;
const hasProgram = (name: string, argument: string): boolean => spawnSync(name, [argument]).status === 0;

async function timeProgram(name: string, args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  await promisify(execFile)(name, args, { maxBuffer: 1e8 });
  return (performance.now() - startedAt) / 1_000;
}

export const peaks: Benchmark = {
  name: "peaks",
  title: "peaks of a 4-min MP3 and a 60-min WAV, against decoding to nowhere; the whole processing, as a multiple of real time",
  async run(context) {
    const media = await context.helper<MediaCalls>(new URL("media-process.ts", import.meta.url));
    const outputs = join(context.folder, "peaks");
    mkdirSync(outputs);
    const programs = { ffmpeg: hasProgram("ffmpeg", "-version"), audiowaveform: hasProgram("audiowaveform", "--version") };
    const lines: Line[] = [];
    const song = { path: join(context.folder, "song.mp3"), seconds: context.isQuick ? 20 : SONG_SECONDS };
    await media.call("write", { ...song, format: "mp3", codec: "libmp3lame", bitRate: 192_000 });
    const hour = await context.hour();
    for (const { name, path, seconds, rounds } of [
      { name: "4 min MP3", ...song, rounds: 3 },
      { name: "60 min WAV", ...hour, rounds: 2 },
    ]) {
      const steps: Record<string, () => Promise<number>> = {
        decode: () => media.call("decode", path),
        peaks: () => media.call("peaks", { path, outputs }),
        ...(programs.ffmpeg ? { ffmpeg: () => timeProgram("ffmpeg", ["-v", "error", "-threads", "1", "-i", path, "-f", "null", "-"]) } : {}),
        ...(programs.audiowaveform
          ? { audiowaveform: () => timeProgram("audiowaveform", ["-i", path, "-o", join(outputs, "x.dat"), "-z", "64", "-b", "8", "-q"]) }
          : {}),
        ...(path === song.path ? { "whole analysis": () => media.call("pipeline", { path, outputs }) } : {}),
      };
      const measured = await context.inTurn(context.rounds(rounds), steps);
      const values = measured["peaks"]!;
      lines.push({
        work: `peaks of ${name}, with decoding`,
        unit: "s",
        values,
        yardstick: { name: "decoding to nowhere, same library", values: measured["decode"]! },
        goal: { of: "ratio", better: "lower", must: 2 },
      });
      for (const program of ["ffmpeg", "audiowaveform"] as const) {
        const reference = measured[program];
        if (!reference) continue;
        const yardstick = { name: program === "ffmpeg" ? "ffmpeg, decoding to nowhere" : "audiowaveform", values: reference };
        lines.push({ work: `peaks of ${name}`, unit: "s", values, yardstick, goal: { of: "ratio", better: "lower", must: program === "ffmpeg" ? 2 : 1 } });
      }
      if (measured["whole analysis"])
        lines.push({
          work: `analysis of ${name} in its own process`,
          unit: "x real time",
          values: measured["whole analysis"].map((duration) => seconds / duration),
          goal: { of: "value", better: "higher", must: 60, aim: 150 },
        });
    }
    await media.stop();
    const missing = Object.entries(programs).flatMap(([name, isInstalled]) => (isInstalled ? [] : [name]));
    lines.push({
      work: "60 min WAV in the service, upload to processed, with the AAC copy",
      unit: "x real time",
      values: [hour.seconds / hour.processingSeconds],
      goal: { of: "value", better: "higher", must: 60, aim: 150 },
      ...(missing.length > 0 ? { note: `not installed here: ${missing.join(" and ")}` } : {}),
    });
    return lines;
  },
};
