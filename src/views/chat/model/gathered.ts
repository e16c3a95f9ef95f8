/** News that comes one by one, told together: whoever listens to it hears one sentence instead of a stream. */

/** Milliseconds from the first of them to the telling. */
const GATHER_MS = 2_000;

export interface Gathered {
  /** The newest there is by now. What is there at the first call is no news. */
  hear(newestId: number): void;
  stop(): void;
}

/** `tell` is asked for everything behind `through`. */
export function gathered(tell: (through: number) => void): Gathered {
  let told: number | null = null;
  let newest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    hear(newestId) {
      newest = Math.max(newest, newestId);
      told ??= newestId;
      if (newest <= told || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        const through = told!;
        told = newest;
        tell(through);
      }, GATHER_MS);
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
