/** A stretch of a sound that is heard again and again. Pure: what a hand or a key does to it, and when it leads back. */

export interface Loop {
  /** Seconds. */
  readonly from: number;
  readonly to: number;
  /** Its points stay while it is off. */
  readonly on: boolean;
}

/** Seconds. Shorter ones are a buzz, and more seeking than sound. */
export const SHORTEST_LOOP = 0.1;

const within = (seconds: number, duration: number) => Math.max(0, Math.min(seconds, duration));

/** Between two points in either order; null where there is no room for one. */
export function loopBetween(one: number, other: number, duration: number): Loop | null {
  if (!(duration >= SHORTEST_LOOP) || !Number.isFinite(one) || !Number.isFinite(other)) return null;
  const [first, last] = [within(Math.min(one, other), duration), within(Math.max(one, other), duration)];
  const from = Math.min(first, duration - SHORTEST_LOOP);
  return { from, to: Math.max(last, from + SHORTEST_LOOP), on: true };
}

/** I: begins here. The end stays where it lies behind, else it is the sound's. */
export const loopFrom = (loop: Loop | null, at: number, duration: number): Loop | null =>
  loopBetween(at, loop && loop.to > at + SHORTEST_LOOP ? loop.to : duration, duration);

/** O: ends here. The beginning stays where it lies before, else it is the sound's. */
export const loopTo = (loop: Loop | null, at: number, duration: number): Loop | null =>
  loopBetween(loop && loop.from < at - SHORTEST_LOOP ? loop.from : 0, at, duration);

/** On and off; without points the whole sound. */
export const toggledLoop = (loop: Loop | null, duration: number): Loop | null => (loop ? { ...loop, on: !loop.on } : loopBetween(0, duration, duration));

/** One end was dragged to `at`; it stops before the other. */
export function draggedLoop(loop: Loop, end: "from" | "to", at: number, duration: number): Loop {
  if (end === "from") return { ...loop, from: within(Math.min(at, loop.to - SHORTEST_LOOP), duration) };
  return { ...loop, to: within(Math.max(at, loop.from + SHORTEST_LOOP), duration) };
}

/** Where it goes on, after the sound ran from `was` to `now`; null where it runs on. Who listens behind the end is left alone. */
export function leadsBack(loop: Loop | null, was: number, now: number): number | null {
  return loop?.on && was < loop.to && now >= loop.to && now >= was ? loop.from : null;
}

export const isSameLoop = (a: Loop | null, b: Loop | null): boolean =>
  a === b || (a !== null && b !== null && a.from === b.from && a.to === b.to && a.on === b.on);
