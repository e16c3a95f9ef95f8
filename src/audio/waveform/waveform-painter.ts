/**
 * Draws a range of a waveform, one column per device pixel with the true minimum and maximum of the finest available samples, on a grid that stays
 * stable while scrolling.
 */
import { type PeakTiles, type Pyramid, TILE_POINTS } from "./peak-tiles.ts";
import type { Peaks } from "./peaks.ts";

/** CSS pixels. */
const PLAYHEAD_WIDTH = 2;
const CHANNEL_GAP = 4;
/** Full scale of 8-bit values. */
const FULL_SCALE = 128;
/** Tolerance, in points, within which the edges of a point and a column count as equal, so that rounding does not include a neighboring point. */
const EPSILON = 1e-6;

/** Columns lie on a grid over the whole audio: column `first + n` starts at `(first + n) * step` and covers `step` seconds. */
interface Grid {
  first: number;
  count: number;
  /** Seconds. */
  step: number;
}
export interface Columns {
  lows: Float32Array;
  highs: Float32Array;
}

export interface DetailWaveformColors {
  wave: string;
  played: string;
  playhead: string;
  gridLine: string;
  strongGridLine: string;
}

interface DetailWaveformFrame {
  /** Visible range in seconds. */
  from: number;
  to: number;
  /** Length of the whole audio, in seconds. */
  duration: number;
  /** Seconds. */
  position: number;
  /** Channel of each lane from top to bottom; null combines all channels. */
  channels: readonly (number | null)[];
  gridLines: readonly { seconds: number; isStrong: boolean }[];
  tiles: PeakTiles | null;
  /** Drawn where tiles are missing. */
  fallback: Peaks;
}

/** Creates a paint function that reuses its columns between frames, so that playback produces no garbage. */
export function createWaveformPainter(canvas: HTMLCanvasElement) {
  const context = canvas.getContext("2d")!;
  let columns: Columns = { lows: new Float32Array(0), highs: new Float32Array(0) };

  function drawWave(top: number, height: number, from: number, to: number): void {
    const half = height / 2;
    for (let column = from; column < to; column++) {
      const first = Math.round(top + half - columns.highs[column]! * half);
      // Silence is drawn as a line.
      context.fillRect(column, first, 1, Math.max(1, Math.round(top + half - columns.lows[column]! * half) - first));
    }
  }

  /** `pixelRatio`: device pixels per CSS pixel. */
  return function paint(frame: DetailWaveformFrame, colors: DetailWaveformColors, pixelRatio: number): void {
    const { width, height } = canvas;
    const { from, to, duration, position, channels, gridLines } = frame;
    context.clearRect(0, 0, width, height);
    if (width === 0 || !(to > from)) return;
    const grid = computeGrid(from, to, width);
    const toX = (seconds: number) => Math.round(seconds / grid.step) - grid.first;
    const lineWidth = Math.max(1, Math.round(pixelRatio));
    for (const { seconds, isStrong } of gridLines) {
      context.fillStyle = isStrong ? colors.strongGridLine : colors.gridLine;
      context.fillRect(toX(seconds), 0, lineWidth, height);
    }
    if (columns.lows.length < width) columns = { lows: new Float32Array(width), highs: new Float32Array(width) };
    const end = Math.max(0, Math.min(width, toX(duration)));
    const played = Math.max(0, Math.min(end, toX(position)));
    const gap = Math.round(CHANNEL_GAP * pixelRatio);
    const channelHeight = (height - gap * (channels.length - 1)) / channels.length;
    channels.forEach((channel, index) => {
      fillColumns(columns, grid, frame.tiles, channel, frame.fallback, duration);
      const top = index * (channelHeight + gap);
      context.fillStyle = colors.played;
      drawWave(top, channelHeight, 0, played);
      context.fillStyle = colors.wave;
      drawWave(top, channelHeight, played, end);
    });
    const playheadWidth = Math.round(PLAYHEAD_WIDTH * pixelRatio);
    context.fillStyle = colors.playhead;
    context.fillRect(toX(position) - Math.floor(playheadWidth / 2), 0, playheadWidth, height);
  };
}

/** Returns the columns that show the range on a canvas `width` device pixels wide. */
export function computeGrid(from: number, to: number, width: number): Grid {
  const step = (to - from) / width;
  return { first: Math.round(from / step), count: width, step };
}

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
