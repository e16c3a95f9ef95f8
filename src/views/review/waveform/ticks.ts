/** Computes the time ticks, bar labels, and grid lines of a waveform. */
import { pixelsPerSecond, type VisibleRange } from "./viewport.ts";

const TICK_STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200];
/** Minimum CSS pixels between two labels, so that "1:02:03" fits. */
const MIN_LABEL_SPACING_PX = 88;
/** Minimum CSS pixels between two grid lines. */
const MIN_LINE_SPACING_PX = 10;
const BEATS_PER_BAR = 4;
/** Bars per grid step, in powers of two as in song structures. */
const BAR_STEPS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Tempo and beat positions, in bars of four beats. */
export interface Tempo {
  bpm: number;
  /** Start of bar 1 in seconds. */
  origin: number;
}

export interface GridLine {
  seconds: number;
  /** True at the start of a bar, or of every nth bar if not all fit. The beats between are drawn lighter. */
  isStrong: boolean;
}

/** Returns the multiples of `step` from `from` to `to`. */
function multiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
}

/** Returns round tick times in view, as many as fit, except where a label would extend past the end of the track. */
export function computeTicks(view: VisibleRange, duration: number): number[] {
  const scale = pixelsPerSecond(view);
  if (!(scale > 0) || !(duration > 0)) return [];
  const minStep = MIN_LABEL_SPACING_PX / scale;
  const step = TICK_STEPS.find((seconds) => seconds >= minStep) ?? Math.ceil(minStep / 3_600) * 3_600;
  const last = Math.min(view.to, duration - MIN_LABEL_SPACING_PX / 2 / scale);
  // Starts one step before the view, because that label may extend into the view.
  return multiples(Math.max(0, view.from - minStep), last, step).map((seconds) => Math.round(seconds * 10) / 10);
}

export const beatSeconds = ({ bpm }: Tempo): number => 60 / bpm;

/** Returns the smallest step of `BAR_STEPS`, in seconds, whose lines are at least `minSpacing` pixels apart. */
function barStep(tempo: Tempo, scale: number, minSpacing: number): number {
  const bar = beatSeconds(tempo) * BEATS_PER_BAR;
  return bar * (BAR_STEPS.find((bars) => bars * bar * scale >= minSpacing) ?? BAR_STEPS.at(-1)!);
}

/** Returns the bar lines in view, and the beat lines if they fit. */
export function computeGridLines(view: VisibleRange, duration: number, tempo: Tempo): GridLine[] {
  const scale = pixelsPerSecond(view);
  const beat = beatSeconds(tempo);
  if (!(scale > 0) || !(beat > 0) || !Number.isFinite(beat)) return [];
  const strongStep = barStep(tempo, scale, MIN_LINE_SPACING_PX);
  const step = beat * scale >= MIN_LINE_SPACING_PX ? beat : strongStep;
  const linesPerStrong = Math.round(strongStep / step);
  const [from, to] = [view.from - tempo.origin, Math.min(view.to, duration) - tempo.origin];
  return multiples(from, to, step).map((offset) => ({ seconds: offset + tempo.origin, isStrong: Math.round(offset / step) % linesPerStrong === 0 }));
}

/** Returns the bars whose labels fit, with their numbers. Bar 1 starts at the origin. */
export function computeBarLabels(view: VisibleRange, duration: number, tempo: Tempo): { seconds: number; bar: number }[] {
  const scale = pixelsPerSecond(view);
  const bar = beatSeconds(tempo) * BEATS_PER_BAR;
  if (!(scale > 0) || !(bar > 0) || !Number.isFinite(bar)) return [];
  const step = barStep(tempo, scale, MIN_LABEL_SPACING_PX);
  const last = Math.min(view.to, duration - MIN_LABEL_SPACING_PX / 2 / scale) - tempo.origin;
  return multiples(view.from - tempo.origin - MIN_LABEL_SPACING_PX / scale, last, step)
    .filter((offset) => offset + tempo.origin >= 0)
    .map((offset) => ({ seconds: offset + tempo.origin, bar: barNumber(Math.round(offset / bar)) }));
}
/** There is no bar 0: bar −1 comes before bar 1. */
const barNumber = (index: number): number => (index >= 0 ? index + 1 : index);

/** Formats the bar and beat at a position, such as "45.3". */
export function barAndBeat(seconds: number, tempo: Tempo): string {
  const beats = Math.floor((seconds - tempo.origin) / beatSeconds(tempo) + 1e-6);
  const bar = Math.floor(beats / BEATS_PER_BAR);
  return `${barNumber(bar)}.${beats - bar * BEATS_PER_BAR + 1}`.replace("-", "\u2212");
}
