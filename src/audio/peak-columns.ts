/** Computes the minimum and maximum under each column of a waveform from the finest available samples. */
import { TILE_POINTS, type PeakTiles, type Pyramid } from "./peak-tiles.ts";
import type { Peaks } from "./peaks.ts";

/** Columns lie on a grid over the whole audio: column `first + n` starts at `(first + n) * step` and covers `step` seconds. */
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

/** Full scale of 8-bit values. */
const FULL_SCALE = 128;
/** Tolerance, in points, within which the edges of a point and a column count as equal, so that rounding does not include a neighboring point. */
const EPSILON = 1e-6;

/** Returns the coarsest level whose points are no wider than a column, or the finest if columns are narrower than every level's points. */
export function selectLevel({ levels, sampleRate }: Pyramid, step: number): number {
  const index = levels.findLastIndex(({ samplesPerPoint }) => samplesPerPoint <= step * sampleRate * (1 + EPSILON));
  return Math.max(0, index);
}

/** Returns the points of a level that a grid covers. */
export function pointRange({ levels, sampleRate }: Pyramid, level: number, { first, count, step }: Grid): [from: number, to: number] {
  const secondsPerPoint = levels[level]!.samplesPerPoint / sampleRate;
  return [Math.floor((first * step) / secondsPerPoint + EPSILON), Math.ceil(((first + count) * step) / secondsPerPoint - EPSILON)];
}

/**
 * Fills `columns` with the extremes of one channel, or of all if `channel` is null. Missing tiles are replaced by coarser ones, and last by
 * `fallback`, which spans `duration`.
 */
export function fillColumns(columns: Columns, grid: Grid, tiles: PeakTiles | null, channel: number | null, fallback: Peaks, duration: number): void {
  const level = tiles ? selectLevel(tiles.pyramid, grid.step) : 0;
  for (let column = 0; column < grid.count; column++) {
    const from = (grid.first + column) * grid.step;
    if (from < -grid.step || from >= duration) {
      columns.lows[column] = columns.highs[column] = 0;
      continue;
    }
    if (tiles && fillFromTiles(columns, column, tiles, level, channel, from, from + grid.step)) continue;
    fillFromFallback(columns, column, fallback, from / duration, (from + grid.step) / duration);
  }
}

function fillFromTiles(columns: Columns, column: number, tiles: PeakTiles, level: number, channel: number | null, from: number, to: number): boolean {
  const { levels, sampleRate, channels } = tiles.pyramid;
  for (let currentLevel = level; currentLevel < levels.length; currentLevel++) {
    const { samplesPerPoint, length } = levels[currentLevel]!;
    const first = Math.min(length - 1, Math.max(0, Math.floor((from * sampleRate) / samplesPerPoint + EPSILON)));
    const last = Math.min(length, Math.max(first + 1, Math.ceil((to * sampleRate) / samplesPerPoint - EPSILON)));
    let low = FULL_SCALE;
    let high = -FULL_SCALE;
    let point = first;
    while (point < last) {
      const index = Math.floor(point / TILE_POINTS);
      const tile = tiles.tile(currentLevel, index);
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
    columns.lows[column] = low / FULL_SCALE;
    columns.highs[column] = high / FULL_SCALE;
    return true;
  }
  return false;
}

function fillFromFallback(columns: Columns, column: number, { lows, highs }: Peaks, from: number, to: number): void {
  const points = Math.min(lows.length, highs.length);
  if (points === 0) {
    columns.lows[column] = columns.highs[column] = 0;
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
  columns.lows[column] = low;
  columns.highs[column] = high;
}
