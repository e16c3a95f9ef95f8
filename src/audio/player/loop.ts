/** Computes loops as pure functions: how input changes a loop and when playback jumps back. */

export interface Loop {
  /** Seconds. */
  readonly from: number;
  readonly to: number;
  /** `from` and `to` persist while the loop is off. */
  readonly on: boolean;
}

/** Seconds. Shorter loops are a buzz and spend more time seeking than playing. */
export const MIN_LOOP_SECONDS = 0.1;

const clamp = (seconds: number, duration: number) => Math.max(0, Math.min(seconds, duration));

/** Creates a loop between two points in either order; returns null if the audio is too short. */
export function createLoop(pointA: number, pointB: number, duration: number): Loop | null {
  if (!(duration >= MIN_LOOP_SECONDS) || !Number.isFinite(pointA) || !Number.isFinite(pointB)) return null;
  const [first, last] = [clamp(Math.min(pointA, pointB), duration), clamp(Math.max(pointA, pointB), duration)];
  const from = Math.min(first, duration - MIN_LOOP_SECONDS);
  return { from, to: Math.max(last, from + MIN_LOOP_SECONDS), on: true };
}

/** Selects a part without looping it, at whole milliseconds, as comments are stored. A loop that is on stays on with the new range. */
export function selectRange(loop: Loop | null, pointA: number, pointB: number, duration: number): Loop | null {
  const [a, b] = [pointA, pointB].map((seconds) => Math.round(seconds * 1_000) / 1_000) as [number, number];
  const range = createLoop(a, b, duration);
  return range && { ...range, on: loop?.on ?? false };
}

/** Sets the start (key I). The end stays if it is after the start, otherwise it becomes the end of the audio. */
export const withLoopStart = (loop: Loop | null, at: number, duration: number): Loop | null =>
  createLoop(at, loop && loop.to > at + MIN_LOOP_SECONDS ? loop.to : duration, duration);

/** Sets the end (key O). The start stays if it is before the end, otherwise it becomes 0. */
export const withLoopEnd = (loop: Loop | null, at: number, duration: number): Loop | null =>
  createLoop(loop && loop.from < at - MIN_LOOP_SECONDS ? loop.from : 0, at, duration);

/** Turns the loop on or off; without a loop, creates one over the whole audio. */
export const toggleLoop = (loop: Loop | null, duration: number): Loop | null => (loop ? { ...loop, on: !loop.on } : createLoop(0, duration, duration));

/** Moves one edge to `at`, at most up to `MIN_LOOP_SECONDS` from the other edge. */
export function moveLoopEdge(loop: Loop, edge: "from" | "to", at: number, duration: number): Loop {
  if (edge === "from") return { ...loop, from: clamp(Math.min(at, loop.to - MIN_LOOP_SECONDS), duration) };
  return { ...loop, to: clamp(Math.max(at, loop.from + MIN_LOOP_SECONDS), duration) };
}

/** Returns the loop start if playback from `previous` to `current` crossed the loop end, otherwise null; playback after the loop end continues. */
export function loopJumpTarget(loop: Loop | null, previous: number, current: number): number | null {
  return loop?.on && previous < loop.to && current >= loop.to && current >= previous ? loop.from : null;
}

export const isSameLoop = (a: Loop | null, b: Loop | null): boolean =>
  a === b || (a !== null && b !== null && a.from === b.from && a.to === b.to && a.on === b.on);
