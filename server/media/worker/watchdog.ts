/** Watches a job for stalls and for its total time. */

export interface TimeLimits {
  /** Maximum time without a progress message. */
  stallTimeoutMs: number;
  /** Maximum total time, for files that never end. Hours of video on a slow machine fit. */
  wallTimeoutMs: number;
}

export interface Watchdog {
  /** Restarts the stall timer after progress. */
  reset(): void;
  stop(): void;
}

export function startWatchdog({ stallTimeoutMs, wallTimeoutMs }: TimeLimits, handlers: { onStall(): void; onTimeout(): void }): Watchdog {
  const wallTimer = setTimeout(handlers.onTimeout, wallTimeoutMs);
  const stallTimer = setTimeout(handlers.onStall, stallTimeoutMs);
  return {
    reset: () => void stallTimer.refresh(),
    stop() {
      clearTimeout(wallTimer);
      clearTimeout(stallTimer);
    },
  };
}
