/** A clock that stands until a test moves it. */
import type { Clock } from "../lib/clock.ts";

export interface ManualClock extends Clock {
  /** Lets `ms` pass. */
  advance(ms: number): void;
}

export function createManualClock(start = Date.parse("2026-03-02T09:00:00Z")): ManualClock {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}
