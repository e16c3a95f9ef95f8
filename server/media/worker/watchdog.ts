/** Says when a job has run long enough: not by how long it takes, but by whether it still gets on. */

export interface TimeLimits {
  /** Without a word about progress. */
  stallTimeoutMs: number;
  /** In all: what a file that never ends may cost. Hours of film on a slow machine fit. */
  wallTimeoutMs: number;
}

export interface Watchdog {
  /** It has got on. */
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
