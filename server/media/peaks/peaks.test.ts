import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createTestFolder } from "../testing/folder.ts";
import { seeded } from "../testing/random.ts";
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

test("over full scale and very short sounds stay in bounds, and have one value per sample", () => {
  using folder = createTestFolder();
  const { wave, levels } = computePeaks(folder.path, [Float32Array.from([3, -3, 0, 0.5])], 4);
  expect(levels).toHaveLength(1);
  expect(wave).toEqual([1, 1, 0, 0.5]);
});

describe("every value of the wave is the highest magnitude of its exact slice", () => {
  const random = seeded(17);
  /** Sounds whose slices differ as much as they can: single samples, steps and ramps anywhere. */
  const SOUNDS: [string, (length: number) => Float32Array][] = [
    ["noise", (length) => Float32Array.from({ length }, () => random.next() * 2 - 1)],
    ["clicks", (length) => Float32Array.from({ length }, () => (random.chance(0.002) ? random.next() : 0))],
    ["steps", (length) => Float32Array.from({ length }, (_, i) => ((i * 7_919) % length < length / 3 ? 0.9 : -0.1))],
    ["ramps", (length) => Float32Array.from({ length }, (_, i) => ((i % 5_000) / 5_000) * ((i / 5_000) % 2 < 1 ? 1 : -0.5))],
  ];
  const LENGTHS = [1, 2, 17, 64, 199, 200, 1_799, 1_800, 1_801, 2_000, 4_095, 4_096, 4_097, 8_191, 44_100, 115_200, 131_072, 700_001];

  test.each(LENGTHS)("%i samples", (length) => {
    using folder = createTestFolder();
    for (const [name, create] of SOUNDS) {
      const channels = [create(length), create(length).map((value) => value / 2)];
      const { wave, shortWave } = computePeaks(folder.path, channels, 1 + Math.floor(random.next() * 5_000));
      for (const [values, count] of [
        [wave, 1_800],
        [shortWave, 200],
      ] as const) {
        const slices = Math.min(count, length);
        expect(values).toHaveLength(slices);
        const wrong = values.flatMap((value, slice) => {
          let highest = 0;
          const end = Math.floor(((slice + 1) * length) / slices);
          for (let i = Math.floor((slice * length) / slices); i < end; i++) for (const samples of channels) highest = Math.max(highest, Math.abs(samples[i]!));
          return Math.abs(value - highest) <= 1 / 128 ? [] : [`${name}, slice ${slice}: ${value} instead of ${highest}`];
        });
        expect(wrong).toEqual([]);
      }
    }
  });
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
