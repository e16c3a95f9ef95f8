/** Bounds how many requests of one caller run at a time: further ones are queued in order, and beyond a number of queued ones they are refused. */
import { HttpError } from "../lib/errors.ts";

export interface ConcurrencyLimits {
  maxRunning: number;
  maxQueued: number;
}

interface Caller {
  running: number;
  /** Start the queued requests. */
  queue: (() => void)[];
}

export function createConcurrencyLimit(limits: ConcurrencyLimits) {
  const callers = new Map<string, Caller>();

  /** The next queued request starts after the requests of others that have arrived meanwhile: a response may be made without a pause. */
  function release(key: string, caller: Caller): void {
    const start = caller.queue.shift();
    if (start) return void setImmediate(start);
    caller.running -= 1;
    if (caller.running === 0) callers.delete(key);
  }

  return {
    /**
     * `started` resolves when the request may run. `factor`: how many times the limits this caller has. `onEnd` registers a callback for the end of the request, also while it is queued. Throws a 429 if too many
     * requests are queued already; `started` rejects if the request ends before it could run.
     */
    acquire(key: string, onEnd: (callback: () => void) => void, factor = 1): { isQueued: boolean; started: Promise<void> } {
      const [maxRunning, maxQueued] = [limits.maxRunning * factor, limits.maxQueued * factor];
      const caller = callers.get(key) ?? { running: 0, queue: [] };
      const isQueued = caller.running >= maxRunning;
      if (isQueued && caller.queue.length >= maxQueued)
        throw new HttpError(429, `Too many requests at a time: ${maxRunning} are running and ${maxQueued} are queued. Wait 2 s, and send fewer at a time.`, {
          retryAfter: 2,
        });
      callers.set(key, caller);
      const { promise: started, resolve: start, reject } = Promise.withResolvers<void>();
      if (isQueued) caller.queue.push(start);
      else {
        caller.running += 1;
        start();
      }
      let hasEnded = false;
      onEnd(() => {
        if (hasEnded) return;
        hasEnded = true;
        const index = caller.queue.indexOf(start);
        if (index < 0) return release(key, caller);
        caller.queue.splice(index, 1);
        reject(new HttpError(400, "The connection closed before the request was handled."));
      });
      return { isQueued, started };
    },
  };
}
