import { useEffect, useRef } from "react";

/**
 * The virtual list counts a scroll as going on for 150 ms, and a pause between two turns of the wheel is longer than that:
 * this long, nobody is about to go on in the next moment.
 */
const IDLE_MS = 1_500;

/** Runs what must not happen during a scroll once the scroller has been still for a while. */
export function useScrollIdle(callback: () => void): { onScroll(): void; schedule(): void } {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latestCallback = useRef(callback);
  useEffect(() => {
    latestCallback.current = callback;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const start = () => {
    timer.current = setTimeout(() => {
      timer.current = undefined;
      latestCallback.current();
    }, IDLE_MS);
  };
  return {
    /** The scroller moved: wait anew. */
    onScroll() {
      clearTimeout(timer.current);
      start();
    },
    /** There is something to do, and nothing may be moving. */
    schedule() {
      if (timer.current === undefined) start();
    },
  };
}
