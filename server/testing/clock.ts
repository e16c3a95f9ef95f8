/** A clock that stands until a test moves it. */
import type { Clock } from "../lib/clock.ts";

export interface MovableClock extends Clock {
  /** Lets `ms` pass. */
  pass(ms: number): void;
}

export function movableClock(start = Date.parse("2026-03-02T09:00:00Z")): MovableClock {
  let now = start;
  return {
    now: () => now,
    pass: (ms) => {
      now += ms;
    },
  };
}
