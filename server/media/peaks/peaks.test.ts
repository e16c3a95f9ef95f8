import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { createTestFolder } from "../testing/folder.ts";
import { concatSignals, noise, sine } from "../testing/signals.ts";
import { byteRange, HEADER_BYTES, readDat, readHeader, writeHeader } from "./dat.ts";
import { PeakSink } from "./peaks.ts";

function computePeaks(folder: string, channels: Float32Array[], block: number, rate = 44_100) {
  const sink = new PeakSink(folder, rate, channels.length);
  for (let index = 0; index < channels[0]!.length; index += block) {
    const parts = channels.map((channel) => channel.subarray(index, index + block));
    sink.push({ channels: parts, length: parts[0]!.length });
  }
  return sink.finish();
}

test.each([1, 47, 64, 1_152, 4_096])("the base level equals the minimum and maximum of every 64 samples, in blocks of %i", (block) => {
  using folder = createTestFolder();
  const channels = [noise(0.9, 0.3, 44_100, 3), noise(0.2, 0.3, 44_100, 4)];
  const { levels } = computePeaks(folder.path, channels, block);
  const dat = readDat(readFileSync(folder.resolve(levels[0]!.file)));
  expect(dat).toMatchObject({ sampleRate: 44_100, samplesPerPixel: 64, channels: 2, length: Math.ceil(channels[0]!.length / 64) });
  const expected = Array.from({ length: dat.length }, (_, pixel) =>
    channels.flatMap((samples) => {
      const part = samples.subarray(pixel * 64, pixel * 64 + 64);
      return [Math.min(...part), Math.max(...part)].map((value) => Math.max(-128, Math.min(127, Math.round(value * 128))));
    }),
  ).flat();
  expect([...dat.values].map((value) => value + 0)).toEqual(expected.map((value) => value + 0));
});

test("each level is four times coarser and the exact envelope of the one before, down to the first below 800 pixels", () => {
  using folder = createTestFolder();
  const { levels } = computePeaks(folder.path, [noise(0.5, 20, 44_100)], 4_096);
  expect(levels.map((level) => level.samplesPerPixel)).toEqual([64, 256, 1_024, 4_096]);
  expect(levels.at(-1)!.pixels).toBeLessThan(800);
  expect(levels.at(-2)!.pixels).toBeGreaterThanOrEqual(800);
  expect(readdirSync(folder.path)).toHaveLength(levels.length);
  const dats = levels.map(({ file }) => readDat(readFileSync(folder.resolve(file))));
  for (let level = 1; level < dats.length; level++) {
    const [fine, coarse] = [dats[level - 1]!, dats[level]!];
    for (let pixel = 0; pixel < coarse.length; pixel++) {
      const part = fine.values.subarray(pixel * 8, pixel * 8 + 8);
      expect([coarse.values[pixel * 2], coarse.values[pixel * 2 + 1]]).toEqual([Math.min(...part), Math.max(...part)]);
    }
  }
  for (const [index, { file, bytes }] of levels.entries()) expect(readFileSync(folder.resolve(file)).length, String(index)).toBe(bytes);
});

test("the waves have 1,800 and 200 values, follow the audio and are not normalized", () => {
  using folder = createTestFolder();
  const { wave, shortWave } = computePeaks(folder.path, [concatSignals(sine(500, 0.25, 10, 44_100), new Float32Array(441_000))], 1_000);
  expect(wave).toHaveLength(1_800);
  expect(shortWave).toHaveLength(200);
  expect(wave[100]).toBeCloseTo(0.25, 2);
  expect(wave[1_700]).toBe(0);
  expect(Math.max(...shortWave)).toBeCloseTo(0.25, 2);
});

test("very short, over full scale and NaN samples stay in bounds", () => {
  using folder = createTestFolder();
  const { wave, levels } = computePeaks(folder.path, [Float32Array.from([3, -3, Number.NaN, 0.5])], 4);
  expect(levels).toHaveLength(1);
  expect(wave).toEqual([1]);
});

test("headers round-trip, windows map to byte ranges, and other bytes are rejected", () => {
  const header = { sampleRate: 48_000, samplesPerPixel: 256, length: 1_000, channels: 6 };
  expect(readHeader(writeHeader(header))).toEqual(header);
  expect(writeHeader(header).toString("hex", 0, 8)).toBe("0200000001000000");
  expect(byteRange(header, 10, 20)).toEqual({ from: HEADER_BYTES + 120, to: HEADER_BYTES + 240 });
  expect(byteRange(header, 990, 5_000)).toEqual({ from: HEADER_BYTES + 11_880, to: HEADER_BYTES + 12_000 });
  expect(() => readHeader(Buffer.from("RIFF"))).toThrow(RangeError);
  expect(() => readDat(writeHeader(header))).toThrow(/cut short/);
});
