/** Draws a range of a waveform, one column per device pixel with the true minimum and maximum, on a grid that stays stable while scrolling. */
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
  /** Visible range in seconds. */
  from: number;
  to: number;
  /** Length of the whole audio, in seconds. */
  duration: number;
  /** Seconds. */
  position: number;
  /** Channel of each lane from top to bottom; null combines all channels. */
  channels: readonly (number | null)[];
  gridLines: readonly { seconds: number; strong: boolean }[];
  tiles: PeakTiles | null;
  /** Drawn where tiles are missing. */
  fallback: Peaks;
}

/** CSS pixels. */
const CURSOR_WIDTH = 2;
const CHANNEL_GAP = 4;

/** Returns the columns that show the range on a canvas `width` device pixels wide. */
export function computeGrid(from: number, to: number, width: number): Grid {
  const step = (to - from) / width;
  return { first: Math.round(from / step), count: width, step };
}

/** Creates a paint function that reuses its columns between frames, so that playback produces no garbage. */
export function createPainter(canvas: HTMLCanvasElement) {
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
