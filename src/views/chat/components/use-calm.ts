import { useEffect, useRef } from "react";

/**
 * Milliseconds without scrolling after which the scroller is idle. The virtual list ends a scroll after 150 ms, which is shorter than the pause
 * between two turns of the wheel.
 */
const IDLE_MS = 1_500;

/** Runs a callback that must not run during a scroll once the scroller has been idle for a while. */
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
    /** Restarts the timer after a scroll. */
    onScroll() {
      clearTimeout(timer.current);
      start();
    },
    /** Schedules the callback for when nothing has moved for the idle time. */
    schedule() {
      if (timer.current === undefined) start();
    },
  };
}
