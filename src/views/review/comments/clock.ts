/** Defines the playback interface that comments need: position, change notifications, and seeking. A track controller implements the interface. */
import { useCallback, useSyncExternalStore } from "react";
import type { PlaybackPosition } from "./model/moment.ts";

export interface Clock {
  /** Seconds; 0 if unknown. */
  readonly duration: number;
  state(): { position: number; playing?: boolean; loop?: { from: number; to: number; on: boolean } | null };
  /** Calls `listener` after each change. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  seek(seconds: number): void;
}

const noop = () => {};

/** Applies `select` to the position in seconds (0 without a clock) and rerenders only when the result changes. */
export function useClock<T extends string | number | boolean | null>(clock: Clock | null, select: (seconds: number) => T): T {
  const getSnapshot = () => select(clock?.state().position ?? 0);
  return useSyncExternalStore(
    useCallback((listener: () => void) => clock?.subscribe(listener) ?? noop, [clock]),
    getSnapshot,
  );
}

export function currentPlayback(clock: Clock | null): PlaybackPosition {
  const { position: seconds, loop = null } = clock?.state() ?? { position: 0 };
  return { seconds, loop: loop?.on ? loop : null };
}
