import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { fillColumns, levelOf, pointsUnder, type Columns } from "./peak-columns.ts";
import { PeakTiles, TILE_POINTS, type Pyramid } from "./peak-tiles.ts";
import { peaksOfWave } from "./peaks.ts";

const RATE = 44_100;
const POINTS = 40_000;
/** A value that tells level, channel and point apart. */
const valueAt = (level: number, channel: number, point: number) => (point * 7 + channel * 31 + level * 57) % 100;

function levels(count: number, points = POINTS): Pyramid {
  return {
    channels: 2,
    sampleRate: RATE,
    levels: Array.from({ length: count }, (_, level) => ({ samplesPerPoint: 64 * 4 ** level, length: Math.ceil(points / 4 ** level), url: String(level) })),
  };
}
/** As the service answers, from bytes that are computed. */
function bytesOf(url: string, from: number, to: number): ArrayBuffer {
  const bytes = new Int8Array(to - from);
  for (let at = from - 24; at < to - 24; at++) {
    const channel = Math.floor(at / 2) % 2;
    const value = valueAt(Number(url), channel, Math.floor(at / 4));
    bytes[at - from + 24] = at % 2 === 0 ? -value : value;
  }
  return bytes.buffer;
}
const settle = () => new Promise((resolve) => setTimeout(resolve));
const columns = (count: number): Columns => ({ lows: new Float32Array(count), highs: new Float32Array(count) });

test("a window is one request, and what is there is not asked for again", async () => {
  const load = vi.fn(async (url: string, from: number, to: number) => bytesOf(url, from, to));
  const news = vi.fn<() => void>();
  const tiles = new PeakTiles(levels(4), load, news);
  tiles.want(0, 5_000, 9_000);
  tiles.want(0, 5_000, 9_000);
  expect(load.mock.calls.map(([url, from, to]) => [url, from, to])).toEqual([["0", 24 + TILE_POINTS * 4, 24 + 3 * TILE_POINTS * 4]]);
  await settle();
  expect(news).toHaveBeenCalledOnce();
  tiles.want(0, 5_000, 14_000);
  expect(load).toHaveBeenCalledTimes(2);
  await settle();
  expect(tiles.tile(0, 1)![1]).toBe(valueAt(0, 0, TILE_POINTS));
  // The last tile is as long as what is left.
  tiles.want(0, POINTS - 1, POINTS);
  await settle();
  expect(tiles.tile(0, Math.floor(POINTS / TILE_POINTS))).toHaveLength((POINTS % TILE_POINTS) * 4);
});

test("what is left before it came is called off", async () => {
  const signals: AbortSignal[] = [];
  const load = (_url: string, _from: number, _to: number, signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<ArrayBuffer>(() => {});
  };
  const tiles = new PeakTiles(levels(4), load, () => {});
  tiles.want(0, 0, 100);
  tiles.want(0, 30_000, 30_100);
  tiles.want(1, 0, 100);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
  tiles.end();
  expect(signals[2]!.aborted).toBe(true);
});

test("a failure is tried again, later, and a short answer is a failure", async () => {
  const load = vi
    .fn<(url: string, from: number, to: number) => Promise<ArrayBuffer>>()
    .mockRejectedValueOnce(new Error("away"))
    .mockResolvedValueOnce(new ArrayBuffer(3))
    .mockImplementation(async (url, from, to) => bytesOf(url, from, to));
  const tiles = new PeakTiles(levels(4), load, () => {});
  let now = Date.now();
  for (const calls of [1, 2, 3]) {
    tiles.want(0, 0, 100, now);
    await settle();
    expect(load).toHaveBeenCalledTimes(calls);
    tiles.want(0, 0, 100, now);
    now += 10_000;
  }
  expect(tiles.tile(0, 0)).toBeDefined();
});

test("after a failure it is looked again by itself; where all is over it is not", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const load = vi
    .fn<(url: string, from: number, to: number) => Promise<ArrayBuffer>>()
    .mockRejectedValueOnce(new Error("away"))
    .mockImplementation(async (url, from, to) => bytesOf(url, from, to));
  const look = () => tiles.want(0, 0, 100);
  const tiles: PeakTiles = new PeakTiles(levels(4), load, () => look());
  look();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(tiles.tile(0, 0)).toBeDefined();
  load.mockRejectedValueOnce(new Error("away"));
  tiles.want(0, 30_000, 30_100);
  await vi.advanceTimersByTimeAsync(0);
  tiles.end();
  const { length } = load.mock.calls;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(load).toHaveBeenCalledTimes(length);
});

test("a wide window leaves no tile out", () => {
  const asked: [number, number][] = [];
  const load = (_url: string, from: number, to: number) => {
    asked.push([from, to]);
    return new Promise<ArrayBuffer>(() => {});
  };
  new PeakTiles(levels(1, 20 * TILE_POINTS), load, () => {}).want(0, 0, 20 * TILE_POINTS);
  expect(asked[0]![0]).toBe(24);
  for (const [index, [, to]] of asked.entries()) expect(asked[index + 1]?.[0] ?? to).toBe(to);
  expect(asked.at(-1)![1]).toBe(24 + 20 * TILE_POINTS * 4);
});

test("seven hours of windows stay within their room, the last ones seen stay", async () => {
  const points = (7 * 3_600 * RATE) / 64;
  const tiles = new PeakTiles(
    levels(8, points),
    async (url, from, to) => bytesOf(url, from, to),
    () => {},
  );
  const windows = 1_000;
  for (let window = 0; window < windows; window++) {
    tiles.want(0, window * TILE_POINTS, (window + 1) * TILE_POINTS);
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  }
  await settle();
  let held = 0;
  for (let index = 0; index < windows; index++) held += tiles.tile(0, index)?.byteLength ?? 0;
  expect(held).toBeLessThanOrEqual(12 << 20);
  expect(held).toBeGreaterThan(11 << 20);
  expect([tiles.tile(0, windows - 1) !== undefined, tiles.tile(0, 0)]).toEqual([true, undefined]);
});

test("the level has a point for each column, and no more than needed", () => {
  const pyramid = levels(4);
  expect([0.0001, 64 / RATE, 255 / RATE, 256 / RATE, 10].map((step) => levelOf(pyramid, step))).toEqual([0, 0, 0, 1, 3]);
  expect(pointsUnder(pyramid, 1, { first: 10, count: 20, step: 256 / RATE })).toEqual([10, 30]);
});

test("columns hold the extremes of all points under them, per channel and of both, whatever the zoom", async () => {
  const tiles = new PeakTiles(
    levels(4),
    async (url, from, to) => bytesOf(url, from, to),
    () => {},
  );
  const duration = (POINTS * 64) / RATE;
  for (let level = 0; level < 4; level++) {
    tiles.want(level, 0, POINTS);
    await settle();
  }
  fc.assert(
    fc.property(fc.constantFrom(8, 64, 100, 300, 1_024, 5_000), fc.integer({ min: 0, max: 400 }), fc.constantFrom(null, 0, 1), (samples, first, channel) => {
      const grid = { first, count: 30, step: samples / RATE };
      const into = columns(30);
      fillColumns(into, grid, tiles, channel, peaksOfWave([]), duration);
      const level = levelOf(tiles.pyramid, grid.step);
      const { samplesPerPoint, length } = tiles.pyramid.levels[level]!;
      for (let column = 0; column < 30; column++) {
        const start = (first + column) * samples;
        if (start >= POINTS * 64) continue;
        const values: number[] = [];
        for (let point = Math.floor(start / samplesPerPoint); point < Math.min(length, Math.ceil((start + samples) / samplesPerPoint)); point++)
          for (const one of channel === null ? [0, 1] : [channel]) values.push(valueAt(level, one, point));
        expect(into.highs[column]).toBeCloseTo(Math.max(...values) / 128);
        expect(into.lows[column]).toBeCloseTo(-Math.max(...values) / 128);
      }
    }),
    { numRuns: 60 },
  );
});

test("before the finest is there coarser ones stand in, at last the whole wave; behind the end is nothing", async () => {
  const tiles = new PeakTiles(
    levels(2),
    async (url, from, to) => bytesOf(url, from, to),
    () => {},
  );
  const duration = (POINTS * 64) / RATE;
  const grid = { first: 0, count: 4, step: 64 / RATE };
  const into = columns(4);
  fillColumns(into, grid, tiles, null, peaksOfWave([0.5, 1]), duration);
  expect([...into.highs]).toEqual([0.5, 0.5, 0.5, 0.5]);
  tiles.want(1, 0, 100);
  await settle();
  fillColumns(into, grid, tiles, 0, peaksOfWave([0.5, 1]), duration);
  expect(into.highs[2]).toBeCloseTo(valueAt(1, 0, 0) / 128);
  fillColumns(into, { first: Math.ceil(duration / grid.step) + 1, count: 2, step: grid.step }, tiles, null, peaksOfWave([1]), duration);
  expect(Array.from(into.highs.subarray(0, 2))).toEqual([0, 0]);
  fillColumns(into, grid, null, null, peaksOfWave([]), duration);
  expect([...into.highs]).toEqual([0, 0, 0, 0]);
});
