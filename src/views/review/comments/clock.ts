/** What a comment needs of a sound or film: where it stands, and the way to go elsewhere. A deck is one. */
import { useCallback, useSyncExternalStore } from "react";
import type { PlaybackPosition } from "./model/moment.ts";

export interface Clock {
  /** Seconds; 0 where it is not known. */
  readonly duration: number;
  state(): { position: number; playing?: boolean; loop?: { from: number; to: number; on: boolean } | null };
  /** Calls back after each change. Returns the way to stop. */
  subscribe(listener: () => void): () => void;
  seek(seconds: number): void;
}

const noop = () => {};

/** What `select` makes of the position in seconds; renders when that becomes another value. Without a clock it stands at 0. */
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
