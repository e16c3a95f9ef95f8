/** Says when a job has run long enough: not by how long it takes, but by whether it still gets on. */

export interface TimeLimits {
  /** Without a word about progress. */
  stillMs: number;
  /** In all: what a file that never ends may cost. Hours of film on a slow machine fit. */
  wallMs: number;
}

export interface Watchdog {
  /** It has got on. */
  alive(): void;
  end(): void;
}

export function startWatchdog({ stillMs, wallMs }: TimeLimits, on: { still(): void; late(): void }): Watchdog {
  const wall = setTimeout(on.late, wallMs);
  const still = setTimeout(on.still, stillMs);
  return {
    alive: () => void still.refresh(),
    end() {
      clearTimeout(wall);
      clearTimeout(still);
    },
  };
}
