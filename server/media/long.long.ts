import { readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { analyse } from "./analyse.ts";
import { readHeader } from "./peaks/dat.ts";
import { testFolder } from "./testing/folder.ts";
import { MINUTES, writeHour } from "./testing/hour.ts";
import type { Step } from "./types.ts";

const MEGABYTE = 1_024 * 1_024;
const STEPS: Step[] = ["probe", "peaks", "loudness", "music"];

async function analyseHour(path: string, outputs: string, steps: Step[]) {
  let most = 0;
  let pid = 0;
  const look = setInterval(() => {
    try {
      most = Math.max(most, Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1_024);
    } catch {
      // Not started yet, or gone.
    }
  }, 100);
  const before = process.memoryUsage.rss();
  const started = performance.now();
  const results = await analyse({ input: path, outputs, wish: { steps }, onStart: (id) => void (pid = id) });
  clearInterval(look);
  const seconds = (performance.now() - started) / 1_000;
  return { results, most, grown: process.memoryUsage.rss() - before, seconds };
}

test.each([
  ["wav", "pcm_s16le"],
  ["flac", "flac"],
  ["mp3", "libmp3lame"],
])("an hour of %s: every sample counted, memory flat, peaks complete", async (format, codec) => {
  using folder = testFolder();
  const written = writeHour(folder.in("a"), format, codec);
  const { results, most, grown, seconds } = await analyseHour(folder.in("a"), folder.path, STEPS);
  expect(results.probe!.audio!.samples).toBe(written);
  const base = results.peaks!.levels[0]!;
  expect(base.pixels).toBe(Math.ceil(written / 64));
  expect(readHeader(readFileSync(folder.in(base.file)).subarray(0, 24)).length).toBe(base.pixels);
  expect(statSync(folder.in(base.file)).size).toBe(base.bytes);
  expect(most).toBeLessThan(400 * MEGABYTE);
  expect(grown).toBeLessThan(100 * MEGABYTE);
  console.log(`${format}: ${seconds.toFixed(1)} s, ${Math.round((MINUTES * 60) / seconds)} x real time, ${Math.round(most / MEGABYTE)} MB`);
});

test("the streaming copy of an hour", async () => {
  using folder = testFolder();
  const written = writeHour(folder.in("a"), "wav", "pcm_s16le");
  const { results, most } = await analyseHour(folder.in("a"), folder.path, ["copy"]);
  expect(results.copy).toMatchObject({ how: "encode" });
  expect(most).toBeLessThan(400 * MEGABYTE);
  const copy = await analyse({ input: folder.in("copy.m4a"), outputs: folder.path, wish: { steps: ["probe"] } });
  expect(Math.abs(copy.probe!.audio!.samples - written)).toBeLessThan(3);
});
