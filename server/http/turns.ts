/** Bounds what one caller has under way at a time: further requests wait in order, and beyond a number of waiting ones they are refused. */
import { HttpError } from "../lib/errors.ts";

export interface TurnLimits {
  atOnce: number;
  waiting: number;
}

interface Caller {
  active: number;
  /** Start the waiting requests. */
  queue: (() => void)[];
}

export function createTurns({ atOnce, waiting }: TurnLimits) {
  const callers = new Map<string, Caller>();

  /** The next waiting request takes over the turn, after the requests of others that have arrived meanwhile: a response may be made without a pause. */
  function leave(key: string, caller: Caller): void {
    const start = caller.queue.shift();
    if (start) return void setImmediate(start);
    caller.active -= 1;
    if (caller.active === 0) callers.delete(key);
  }

  return {
    /**
     * Resolves when it is the request's turn, with true if it had to wait for it. `onEnd` registers a callback for the end of the request, also while it waits; its turn ends then. Throws a
     * 429 if too many requests wait already.
     */
    async take(key: string, onEnd: (callback: () => void) => void): Promise<boolean> {
      const caller = callers.get(key) ?? { active: 0, queue: [] };
      const isFree = caller.active < atOnce;
      if (!isFree && caller.queue.length >= waiting)
        throw new HttpError(429, `You have ${atOnce} requests under way and ${waiting} waiting. Try again in 2 s, and send fewer at a time.`, {
          retryAfter: 2,
        });
      callers.set(key, caller);
      const { promise, resolve, reject } = Promise.withResolvers<boolean>();
      const start = (): void => resolve(!isFree);
      if (isFree) {
        caller.active += 1;
        start();
      } else caller.queue.push(start);
      let isEnded = false;
      onEnd(() => {
        if (isEnded) return;
        isEnded = true;
        const index = caller.queue.indexOf(start);
        if (index < 0) return leave(key, caller);
        caller.queue.splice(index, 1);
        reject(new HttpError(400, "The connection closed before the request was handled."));
      });
      return promise;
    },
  };
}
