/** Draws a stretch of a sound on a canvas: one column per point of the screen, true minimum and maximum, on a grid that stands still while it passes. */
import { fillColumns, type Columns, type Grid } from "./peak-columns.ts";
import type { PeakTiles } from "./peak-tiles.ts";
import type { Peaks } from "./peaks.ts";

export interface DetailWaveformColors {
  wave: string;
  played: string;
  cursor: string;
  gridLine: string;
  strongGridLine: string;
}

export interface DetailWaveformFrame {
  /** Seconds in sight. */
  from: number;
  to: number;
  /** Of the whole sound, in seconds. */
  duration: number;
  /** Seconds. */
  position: number;
  /** Lanes from top to bottom: a channel each, or null for all in one. */
  channels: readonly (number | null)[];
  gridLines: readonly { seconds: number; strong: boolean }[];
  tiles: PeakTiles | null;
  /** What stands in for tiles that are not there. */
  fallback: Peaks;
}

/** CSS pixels. */
const CURSOR_WIDTH = 2;
const CHANNEL_GAP = 4;

/** Which columns of a canvas `width` points wide show this stretch. */
export function computeGrid(from: number, to: number, width: number): Grid {
  const step = (to - from) / width;
  return { first: Math.round(from / step), count: width, step };
}

/** Columns are kept from one picture to the next, so that a playing lane leaves no garbage. */
export function createPainter(canvas: HTMLCanvasElement) {
  const context = canvas.getContext("2d")!;
  let columns: Columns = { lows: new Float32Array(0), highs: new Float32Array(0) };

  function drawWave(top: number, height: number, from: number, to: number): void {
    const half = height / 2;
    for (let column = from; column < to; column++) {
      const first = Math.round(top + half - columns.highs[column]! * half);
      // Silence is a line, not nothing.
      context.fillRect(column, first, 1, Math.max(1, Math.round(top + half - columns.lows[column]! * half) - first));
    }
  }

  /** `pixelRatio`: points of the screen per CSS pixel. */
  return function paint(frame: DetailWaveformFrame, colors: DetailWaveformColors, pixelRatio: number): void {
    const { width, height } = canvas;
    const { from, to, duration, position, channels, gridLines } = frame;
    context.clearRect(0, 0, width, height);
    if (width === 0 || !(to > from)) return;
    const grid = computeGrid(from, to, width);
    const toX = (seconds: number) => Math.round(seconds / grid.step) - grid.first;
    const lineWidth = Math.max(1, Math.round(pixelRatio));
    for (const { seconds, strong } of gridLines) {
      context.fillStyle = strong ? colors.strongGridLine : colors.gridLine;
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
    const cursor = Math.round(CURSOR_WIDTH * pixelRatio);
    context.fillStyle = colors.cursor;
    context.fillRect(toX(position) - Math.floor(cursor / 2), 0, cursor, height);
  };
}
