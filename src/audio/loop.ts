/** A stretch of a sound that is heard again and again. Pure: what a hand or a key does to it, and when it leads back. */

export interface Loop {
  /** Seconds. */
  readonly from: number;
  readonly to: number;
  /** Its points stay while it is off. */
  readonly on: boolean;
}

/** Seconds. Shorter ones are a buzz, and more seeking than sound. */
export const MIN_LOOP_SECONDS = 0.1;

const clamp = (seconds: number, duration: number) => Math.max(0, Math.min(seconds, duration));

/** Between two points in either order; null where there is no room for one. */
export function createLoop(pointA: number, pointB: number, duration: number): Loop | null {
  if (!(duration >= MIN_LOOP_SECONDS) || !Number.isFinite(pointA) || !Number.isFinite(pointB)) return null;
  const [first, last] = [clamp(Math.min(pointA, pointB), duration), clamp(Math.max(pointA, pointB), duration)];
  const from = Math.min(first, duration - MIN_LOOP_SECONDS);
  return { from, to: Math.max(last, from + MIN_LOOP_SECONDS), on: true };
}

/** I: begins here. The end stays where it lies behind, else it is the sound's. */
export const withLoopStart = (loop: Loop | null, at: number, duration: number): Loop | null =>
  createLoop(at, loop && loop.to > at + MIN_LOOP_SECONDS ? loop.to : duration, duration);

/** O: ends here. The beginning stays where it lies before, else it is the sound's. */
export const withLoopEnd = (loop: Loop | null, at: number, duration: number): Loop | null =>
  createLoop(loop && loop.from < at - MIN_LOOP_SECONDS ? loop.from : 0, at, duration);

/** On and off; without points the whole sound. */
export const toggleLoop = (loop: Loop | null, duration: number): Loop | null => (loop ? { ...loop, on: !loop.on } : createLoop(0, duration, duration));

/** One end was dragged to `at`; it stops before the other. */
export function moveLoopEdge(loop: Loop, end: "from" | "to", at: number, duration: number): Loop {
  if (end === "from") return { ...loop, from: clamp(Math.min(at, loop.to - MIN_LOOP_SECONDS), duration) };
  return { ...loop, to: clamp(Math.max(at, loop.from + MIN_LOOP_SECONDS), duration) };
}

/** Where it goes on, after the sound ran from `previous` to `current`; null where it runs on. Who listens behind the end is left alone. */
export function loopJumpTarget(loop: Loop | null, previous: number, current: number): number | null {
  return loop?.on && previous < loop.to && current >= loop.to && current >= previous ? loop.from : null;
}

export const isSameLoop = (a: Loop | null, b: Loop | null): boolean =>
  a === b || (a !== null && b !== null && a.from === b.from && a.to === b.to && a.on === b.on);
