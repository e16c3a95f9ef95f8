import { readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { analyze } from "./analyze.ts";
import { readHeader } from "./peaks/dat.ts";
import { createTestFolder } from "./testing/folder.ts";
import { MINUTES, writeHour } from "./testing/hour.ts";
import type { Step } from "./types.ts";

const MEGABYTE = 1_024 * 1_024;
const STEPS: Step[] = ["probe", "peaks", "loudness", "music"];

async function analyzeHour(path: string, outputs: string, steps: Step[]) {
  let peakRss = 0;
  let pid = 0;
  const poll = setInterval(() => {
    try {
      peakRss = Math.max(peakRss, Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1_024);
    } catch {
      // The process has not started yet or has exited.
    }
  }, 100);
  const rssBefore = process.memoryUsage.rss();
  const started = performance.now();
  const results = await analyze({ input: path, outputs, request: { steps }, onStart: (id) => void (pid = id) });
  clearInterval(poll);
  const seconds = (performance.now() - started) / 1_000;
  return { results, peakRss, rssGrowth: process.memoryUsage.rss() - rssBefore, seconds };
}

test.each([
  ["wav", "pcm_s16le"],
  ["flac", "flac"],
  ["mp3", "libmp3lame"],
])("analyzes an hour of %s with all samples, complete peaks and flat memory", async (format, codec) => {
  using folder = createTestFolder();
  const written = writeHour(folder.resolve("a"), format, codec);
  const { results, peakRss, rssGrowth, seconds } = await analyzeHour(folder.resolve("a"), folder.path, STEPS);
  expect(results.probe!.audio!.samples).toBe(written);
  const base = results.peaks!.levels[0]!;
  expect(base.pixels).toBe(Math.ceil(written / 64));
  expect(readHeader(readFileSync(folder.resolve(base.file)).subarray(0, 24)).length).toBe(base.pixels);
  expect(statSync(folder.resolve(base.file)).size).toBe(base.bytes);
  expect(peakRss).toBeLessThan(400 * MEGABYTE);
  expect(rssGrowth).toBeLessThan(100 * MEGABYTE);
  console.log(`${format}: ${seconds.toFixed(1)} s, ${Math.round((MINUTES * 60) / seconds)} x real time, ${Math.round(peakRss / MEGABYTE)} MB`);
});

test("makes a streaming copy of an hour with flat memory", async () => {
  using folder = createTestFolder();
  const written = writeHour(folder.resolve("a"), "wav", "pcm_s16le");
  const { results, peakRss } = await analyzeHour(folder.resolve("a"), folder.path, ["copy"]);
  expect(results.copy).toMatchObject({ method: "encode" });
  expect(peakRss).toBeLessThan(400 * MEGABYTE);
  const copy = await analyze({ input: folder.resolve("copy.m4a"), outputs: folder.path, request: { steps: ["probe"] } });
  expect(Math.abs(copy.probe!.audio!.samples - written)).toBeLessThan(3);
});
