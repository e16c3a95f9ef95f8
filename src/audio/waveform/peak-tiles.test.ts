import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { createPeakTiles, type PeakTiles, TILE_POINTS, type Pyramid } from "./peak-tiles.ts";
import { waveToPeaks } from "./peaks.ts";
import { fillColumns, selectLevel, pointRange, type Columns } from "./waveform-painter.ts";

const RATE = 44_100;
const POINTS = 40_000;
/** Returns a value that distinguishes level, channel and point. */
const valueAt = (level: number, channel: number, point: number) => (point * 7 + channel * 31 + level * 57) % 100;

function createPyramid(count: number, points = POINTS): Pyramid {
  return {
    channels: 2,
    sampleRate: RATE,
    levels: Array.from({ length: count }, (_, level) => ({ samplesPerPoint: 64 * 4 ** level, length: Math.ceil(points / 4 ** level), url: String(level) })),
  };
}
/** Returns the service's response from computed bytes. */
function fakeBytes(url: string, from: number, to: number): ArrayBuffer {
  const bytes = new Int8Array(to - from);
  for (let at = from - 24; at < to - 24; at++) {
    const channel = Math.floor(at / 2) % 2;
    const value = valueAt(Number(url), channel, Math.floor(at / 4));
    bytes[at - from + 24] = at % 2 === 0 ? -value : value;
  }
  return bytes.buffer;
}
const nextTask = () => new Promise((resolve) => setTimeout(resolve));
const createColumns = (count: number): Columns => ({ lows: new Float32Array(count), highs: new Float32Array(count) });

test("a visible range is one request, and loaded tiles are not refetched", async () => {
  const load = vi.fn(async (url: string, from: number, to: number) => fakeBytes(url, from, to));
  const onChange = vi.fn<() => void>();
  const tiles = createPeakTiles(createPyramid(4), load, onChange);
  tiles.setVisibleRange(0, 5_000, 9_000);
  tiles.setVisibleRange(0, 5_000, 9_000);
  expect(load.mock.calls.map(([url, from, to]) => [url, from, to])).toEqual([["0", 24 + TILE_POINTS * 4, 24 + 3 * TILE_POINTS * 4]]);
  await nextTask();
  expect(onChange).toHaveBeenCalledOnce();
  tiles.setVisibleRange(0, 5_000, 14_000);
  expect(load).toHaveBeenCalledTimes(2);
  await nextTask();
  expect(tiles.tile(0, 1)![1]).toBe(valueAt(0, 0, TILE_POINTS));
  // The last tile holds only the remaining points.
  tiles.setVisibleRange(0, POINTS - 1, POINTS);
  await nextTask();
  expect(tiles.tile(0, Math.floor(POINTS / TILE_POINTS))).toHaveLength((POINTS % TILE_POINTS) * 4);
});

test("requests for ranges that are no longer visible are aborted", async () => {
  const signals: AbortSignal[] = [];
  const load = (_url: string, _from: number, _to: number, signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<ArrayBuffer>(() => {});
  };
  const tiles = createPeakTiles(createPyramid(4), load, () => {});
  tiles.setVisibleRange(0, 0, 100);
  tiles.setVisibleRange(0, 30_000, 30_100);
  tiles.setVisibleRange(1, 0, 100);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
  tiles.dispose();
  expect(signals[2]!.aborted).toBe(true);
});

test("a failed or short response is retried later", async () => {
  const load = vi
    .fn<(url: string, from: number, to: number) => Promise<ArrayBuffer>>()
    .mockRejectedValueOnce(new Error("away"))
    .mockResolvedValueOnce(new ArrayBuffer(3))
    .mockImplementation(async (url, from, to) => fakeBytes(url, from, to));
  const tiles = createPeakTiles(createPyramid(4), load, () => {});
  let now = Date.now();
  for (const calls of [1, 2, 3]) {
    tiles.setVisibleRange(0, 0, 100, now);
    await nextTask();
    expect(load).toHaveBeenCalledTimes(calls);
    tiles.setVisibleRange(0, 0, 100, now);
    now += 10_000;
  }
  expect(tiles.tile(0, 0)).toBeDefined();
});

test("a failed request is retried automatically, but not after dispose", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const load = vi
    .fn<(url: string, from: number, to: number) => Promise<ArrayBuffer>>()
    .mockRejectedValueOnce(new Error("away"))
    .mockImplementation(async (url, from, to) => fakeBytes(url, from, to));
  const requestTiles = () => tiles.setVisibleRange(0, 0, 100);
  const tiles: PeakTiles = createPeakTiles(createPyramid(4), load, () => requestTiles());
  requestTiles();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(tiles.tile(0, 0)).toBeDefined();
  load.mockRejectedValueOnce(new Error("away"));
  tiles.setVisibleRange(0, 30_000, 30_100);
  await vi.advanceTimersByTimeAsync(0);
  tiles.dispose();
  const { length } = load.mock.calls;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(load).toHaveBeenCalledTimes(length);
});

test("a wide range is requested without gaps", () => {
  const requests: [number, number][] = [];
  const load = (_url: string, from: number, to: number) => {
    requests.push([from, to]);
    return new Promise<ArrayBuffer>(() => {});
  };
  createPeakTiles(createPyramid(1, 20 * TILE_POINTS), load, () => {}).setVisibleRange(0, 0, 20 * TILE_POINTS);
  expect(requests[0]![0]).toBe(24);
  for (const [index, [, to]] of requests.entries()) expect(requests[index + 1]?.[0] ?? to).toBe(to);
  expect(requests.at(-1)![1]).toBe(24 + 20 * TILE_POINTS * 4);
});

test("the cache stays bounded over seven hours of audio and retains the tiles seen last", async () => {
  const points = (7 * 3_600 * RATE) / 64;
  const tiles = createPeakTiles(
    createPyramid(8, points),
    async (url, from, to) => fakeBytes(url, from, to),
    () => {},
  );
  const windows = 1_000;
  for (let window = 0; window < windows; window++) {
    tiles.setVisibleRange(0, window * TILE_POINTS, (window + 1) * TILE_POINTS);
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  }
  await nextTask();
  let heldBytes = 0;
  for (let index = 0; index < windows; index++) heldBytes += tiles.tile(0, index)?.byteLength ?? 0;
  expect(heldBytes).toBeLessThanOrEqual(12 << 20);
  expect(heldBytes).toBeGreaterThan(11 << 20);
  expect([tiles.tile(0, windows - 1) !== undefined, tiles.tile(0, 0)]).toEqual([true, undefined]);
});

test("selectLevel returns the coarsest level with a point for each column", () => {
  const pyramid = createPyramid(4);
  expect([0.0001, 64 / RATE, 255 / RATE, 256 / RATE, 10].map((step) => selectLevel(pyramid, step))).toEqual([0, 0, 0, 1, 3]);
  expect(pointRange(pyramid, 1, { first: 10, count: 20, step: 256 / RATE })).toEqual([10, 30]);
});

test("columns contain the extremes of all points under them, per channel and combined, at any zoom", async () => {
  const tiles = createPeakTiles(
    createPyramid(4),
    async (url, from, to) => fakeBytes(url, from, to),
    () => {},
  );
  const duration = (POINTS * 64) / RATE;
  for (let level = 0; level < 4; level++) {
    tiles.setVisibleRange(level, 0, POINTS);
    await nextTask();
  }
  fc.assert(
    fc.property(fc.constantFrom(8, 64, 100, 300, 1_024, 5_000), fc.integer({ min: 0, max: 400 }), fc.constantFrom(null, 0, 1), (samples, first, channel) => {
      const grid = { first, count: 30, step: samples / RATE };
      const columns = createColumns(30);
      fillColumns(columns, grid, tiles, channel, waveToPeaks([]), duration);
      const level = selectLevel(tiles.pyramid, grid.step);
      const { samplesPerPoint, length } = tiles.pyramid.levels[level]!;
      for (let column = 0; column < 30; column++) {
        const start = (first + column) * samples;
        if (start >= POINTS * 64) continue;
        const values: number[] = [];
        for (let point = Math.floor(start / samplesPerPoint); point < Math.min(length, Math.ceil((start + samples) / samplesPerPoint)); point++)
          for (const channelIndex of channel === null ? [0, 1] : [channel]) values.push(valueAt(level, channelIndex, point));
        expect(columns.highs[column]).toBeCloseTo(Math.max(...values) / 128);
        expect(columns.lows[column]).toBeCloseTo(-Math.max(...values) / 128);
      }
    }),
    { numRuns: 60 },
  );
});

test("coarser levels and then the overview wave are drawn until tiles load; nothing is drawn after the end", async () => {
  const tiles = createPeakTiles(
    createPyramid(2),
    async (url, from, to) => fakeBytes(url, from, to),
    () => {},
  );
  const duration = (POINTS * 64) / RATE;
  const grid = { first: 0, count: 4, step: 64 / RATE };
  const columns = createColumns(4);
  fillColumns(columns, grid, tiles, null, waveToPeaks([0.5, 1]), duration);
  expect([...columns.highs]).toEqual([0.5, 0.5, 0.5, 0.5]);
  tiles.setVisibleRange(1, 0, 100);
  await nextTask();
  fillColumns(columns, grid, tiles, 0, waveToPeaks([0.5, 1]), duration);
  expect(columns.highs[2]).toBeCloseTo(valueAt(1, 0, 0) / 128);
  fillColumns(columns, { first: Math.ceil(duration / grid.step) + 1, count: 2, step: grid.step }, tiles, null, waveToPeaks([1]), duration);
  expect(Array.from(columns.highs.subarray(0, 2))).toEqual([0, 0]);
  fillColumns(columns, grid, null, null, waveToPeaks([]), duration);
  expect([...columns.highs]).toEqual([0, 0, 0, 0]);
});
