/** The times, or bars, that stand over a waveform. */
import { pixelsPerSecond, type Viewport } from "./viewport.ts";

const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200];
/** CSS pixels between two times, so that "1:02:03" has room. */
const APART = 88;
/** Between two lines of the grid. */
const LINES_APART = 10;
const BEATS_PER_BAR = 4;
/** Bars in one step of the grid, as songs are made. */
const BARS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Where the beats lie; bars of four. */
export interface Tempo {
  bpm: number;
  /** Where bar 1 begins, in seconds. */
  origin: number;
}

export interface GridLine {
  seconds: number;
  /** A bar begins, or one of several that have room: beats between are quieter. */
  strong: boolean;
}

/** Multiples of `step` from `from` to `to`. */
function steps(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step);
}

/** Round seconds in sight, as many as there is room for; none so close to the end of the sound that its words stick out. */
export function ticksIn(view: Viewport, duration: number): number[] {
  const scale = pixelsPerSecond(view);
  if (!(scale > 0) || !(duration > 0)) return [];
  const least = APART / scale;
  const step = STEPS.find((seconds) => seconds >= least) ?? Math.ceil(least / 3_600) * 3_600;
  const last = Math.min(view.to, duration - APART / 2 / scale);
  // From one step before, whose words may reach into sight.
  return steps(Math.max(0, view.from - least), last, step).map((seconds) => Math.round(seconds * 10) / 10);
}

export const beatSeconds = ({ bpm }: Tempo): number => 60 / bpm;

/** The step of `BARS` whose lines are `apart` or more, in seconds. */
function barStep(tempo: Tempo, scale: number, apart: number): number {
  const bar = beatSeconds(tempo) * BEATS_PER_BAR;
  return bar * (BARS.find((bars) => bars * bar * scale >= apart) ?? BARS.at(-1)!);
}

/** Bars and, where there is room, beats in sight. */
export function gridIn(view: Viewport, duration: number, tempo: Tempo): GridLine[] {
  const scale = pixelsPerSecond(view);
  const beat = beatSeconds(tempo);
  if (!(scale > 0) || !(beat > 0) || !Number.isFinite(beat)) return [];
  const strong = barStep(tempo, scale, LINES_APART);
  const step = beat * scale >= LINES_APART ? beat : strong;
  const every = Math.round(strong / step);
  const [from, to] = [view.from - tempo.origin, Math.min(view.to, duration) - tempo.origin];
  return steps(from, to, step).map((at) => ({ seconds: at + tempo.origin, strong: Math.round(at / step) % every === 0 }));
}

/** Bars whose number has room, with that number; bar 1 begins at the origin. */
export function barsIn(view: Viewport, duration: number, tempo: Tempo): { seconds: number; bar: number }[] {
  const scale = pixelsPerSecond(view);
  const bar = beatSeconds(tempo) * BEATS_PER_BAR;
  if (!(scale > 0) || !(bar > 0) || !Number.isFinite(bar)) return [];
  const step = barStep(tempo, scale, APART);
  const last = Math.min(view.to, duration - APART / 2 / scale) - tempo.origin;
  return steps(view.from - tempo.origin - APART / scale, last, step)
    .filter((at) => at + tempo.origin >= 0)
    .map((at) => ({ seconds: at + tempo.origin, bar: barNumber(Math.round(at / bar)) }));
}
/** There is no bar 0: before bar 1 comes bar −1. */
const barNumber = (index: number): number => (index >= 0 ? index + 1 : index);

/** "45.3": bar and beat at a position. */
export function barAndBeat(seconds: number, tempo: Tempo): string {
  const beats = Math.floor((seconds - tempo.origin) / beatSeconds(tempo) + 1e-6);
  const bar = Math.floor(beats / BEATS_PER_BAR);
  return `${barNumber(bar)}.${beats - bar * BEATS_PER_BAR + 1}`.replace("-", "\u2212");
}
