/** A clock that only moves when a test advances it. */
import type { Clock } from "../lib/clock.ts";

export interface ManualClock extends Clock {
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
