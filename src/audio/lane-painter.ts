/** Draws a stretch of a sound on a canvas: one column per point of the screen, true minimum and maximum, on a grid that stands still while it passes. */
import { fillColumns, type Columns, type Grid } from "./peak-columns.ts";
import type { PeakTiles } from "./peak-tiles.ts";
import type { Peaks } from "./peaks.ts";

export interface LaneLook {
  wave: string;
  played: string;
  cursor: string;
  line: string;
  strongLine: string;
}

export interface LanePicture {
  /** Seconds in sight. */
  from: number;
  to: number;
  /** Of the whole sound, in seconds. */
  duration: number;
  /** Seconds. */
  position: number;
  /** Lanes from top to bottom: a channel each, or null for all in one. */
  channels: readonly (number | null)[];
  lines: readonly { seconds: number; strong: boolean }[];
  tiles: PeakTiles | null;
  /** What stands in for tiles that are not there. */
  whole: Peaks;
}

/** CSS pixels. */
const CURSOR_WIDTH = 2;
const BETWEEN_CHANNELS = 4;

/** Which columns of a canvas `width` points wide show this stretch. */
export function gridOf(from: number, to: number, width: number): Grid {
  const step = (to - from) / width;
  return { first: Math.round(from / step), count: width, step };
}

/** Columns are kept from one picture to the next, so that a playing lane leaves no garbage. */
export function createPainter(canvas: HTMLCanvasElement) {
  const context = canvas.getContext("2d")!;
  let columns: Columns = { lows: new Float32Array(0), highs: new Float32Array(0) };

  function wave(top: number, height: number, from: number, to: number): void {
    const half = height / 2;
    for (let column = from; column < to; column++) {
      const first = Math.round(top + half - columns.highs[column]! * half);
      // Silence is a line, not nothing.
      context.fillRect(column, first, 1, Math.max(1, Math.round(top + half - columns.lows[column]! * half) - first));
    }
  }

  /** `ratio`: points of the screen per CSS pixel. */
  return function paint(picture: LanePicture, look: LaneLook, ratio: number): void {
    const { width, height } = canvas;
    const { from, to, duration, position, channels, lines } = picture;
    context.clearRect(0, 0, width, height);
    if (width === 0 || !(to > from)) return;
    const grid = gridOf(from, to, width);
    const xOf = (seconds: number) => Math.round(seconds / grid.step) - grid.first;
    const thin = Math.max(1, Math.round(ratio));
    for (const { seconds, strong } of lines) {
      context.fillStyle = strong ? look.strongLine : look.line;
      context.fillRect(xOf(seconds), 0, thin, height);
    }
    if (columns.lows.length < width) columns = { lows: new Float32Array(width), highs: new Float32Array(width) };
    const end = Math.max(0, Math.min(width, xOf(duration)));
    const played = Math.max(0, Math.min(end, xOf(position)));
    const gap = Math.round(BETWEEN_CHANNELS * ratio);
    const each = (height - gap * (channels.length - 1)) / channels.length;
    channels.forEach((channel, index) => {
      fillColumns(columns, grid, picture.tiles, channel, picture.whole, duration);
      const top = index * (each + gap);
      context.fillStyle = look.played;
      wave(top, each, 0, played);
      context.fillStyle = look.wave;
      wave(top, each, played, end);
    });
    const cursor = Math.round(CURSOR_WIDTH * ratio);
    context.fillStyle = look.cursor;
    context.fillRect(xOf(position) - Math.floor(cursor / 2), 0, cursor, height);
  };
}
