/** The lowest and the highest value under each column of a drawing, from the finest samples that are there. */
import { TILE_POINTS, type PeakTiles, type Pyramid } from "./peak-tiles.ts";
import type { Peaks } from "./peaks.ts";

/** Columns stand on a grid of the whole sound: column `first + n` covers so many seconds from `(first + n) * step` on. */
export interface Grid {
  first: number;
  count: number;
  /** Seconds. */
  step: number;
}
export interface Columns {
  lows: Float32Array;
  highs: Float32Array;
}

/** Full scale of eight bits. */
const FULL = 128;
/** A point's edge that lies this close to a column's counts as the same, in points: rounding must not fetch a neighbor in. */
const HAIR = 1e-6;

/** The coarsest level whose points are no wider than a column; the finest where columns are narrower than all of them. */
export function levelOf({ levels, sampleRate }: Pyramid, step: number): number {
  const found = levels.findLastIndex(({ samplesPerPoint }) => samplesPerPoint <= step * sampleRate * (1 + HAIR));
  return Math.max(0, found);
}

/** The points of a level that lie under a grid. */
export function pointsUnder({ levels, sampleRate }: Pyramid, level: number, { first, count, step }: Grid): [from: number, to: number] {
  const perPoint = levels[level]!.samplesPerPoint / sampleRate;
  return [Math.floor((first * step) / perPoint + HAIR), Math.ceil(((first + count) * step) / perPoint - HAIR)];
}

/** Fills `into`: of one channel, or null: the extremes of all. Where no tile is there yet, a coarser one stands in, at last `whole` over `duration`. */
export function fillColumns(into: Columns, grid: Grid, tiles: PeakTiles | null, channel: number | null, whole: Peaks, duration: number): void {
  const level = tiles ? levelOf(tiles.pyramid, grid.step) : 0;
  for (let column = 0; column < grid.count; column++) {
    const from = (grid.first + column) * grid.step;
    if (from < -grid.step || from >= duration) {
      into.lows[column] = into.highs[column] = 0;
      continue;
    }
    if (tiles && fromTiles(into, column, tiles, level, channel, from, from + grid.step)) continue;
    fromWhole(into, column, whole, from / duration, (from + grid.step) / duration);
  }
}

function fromTiles(into: Columns, column: number, tiles: PeakTiles, level: number, channel: number | null, from: number, to: number): boolean {
  const { levels, sampleRate, channels } = tiles.pyramid;
  for (let at = level; at < levels.length; at++) {
    const { samplesPerPoint, length } = levels[at]!;
    const first = Math.min(length - 1, Math.max(0, Math.floor((from * sampleRate) / samplesPerPoint + HAIR)));
    const last = Math.min(length, Math.max(first + 1, Math.ceil((to * sampleRate) / samplesPerPoint - HAIR)));
    let low = FULL;
    let high = -FULL;
    let point = first;
    while (point < last) {
      const index = Math.floor(point / TILE_POINTS);
      const tile = tiles.tile(at, index);
      if (!tile) break;
      const end = Math.min(last, (index + 1) * TILE_POINTS);
      for (; point < end; point++) {
        const row = (point - index * TILE_POINTS) * channels * 2;
        for (let c = channel ?? 0; c < (channel === null ? channels : channel + 1); c++) {
          const [l, h] = [tile[row + c * 2]!, tile[row + c * 2 + 1]!];
          if (l < low) low = l;
          if (h > high) high = h;
        }
      }
    }
    if (point < last) continue;
    into.lows[column] = low / FULL;
    into.highs[column] = high / FULL;
    return true;
  }
  return false;
}

function fromWhole(into: Columns, column: number, { lows, highs }: Peaks, from: number, to: number): void {
  const points = Math.min(lows.length, highs.length);
  if (points === 0) {
    into.lows[column] = into.highs[column] = 0;
    return;
  }
  const first = Math.min(points - 1, Math.max(0, Math.floor(from * points)));
  const last = Math.min(points, Math.max(first + 1, Math.ceil(to * points)));
  let low = lows[first]!;
  let high = highs[first]!;
  for (let point = first + 1; point < last; point++) {
    low = Math.min(low, lows[point]!);
    high = Math.max(high, highs[point]!);
  }
  into.lows[column] = low;
  into.highs[column] = high;
}
