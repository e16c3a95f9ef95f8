import { type PointerEvent, type SyntheticEvent, useEffect, useMemo, useRef } from "react";

/**
 * Milliseconds without scrolling after which the scroller is idle. The virtual list ends a scroll after 150 ms, which is shorter than the pause
 * between two turns of the wheel.
 */
const IDLE_MS = 1_500;

/** Milliseconds after the last wheel event or key press within which the browser's smooth scroll ends. */
const SCROLL_END_MS = 300;
/** Pixels; turning the wheel moves the pointer by a pixel or two. */
const JITTER_PX = 2;

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
    /** Schedules the callback after the idle time, unless it is already scheduled. */
    schedule() {
      if (timer.current === undefined) start();
    },
  };
}

/**
 * Sets `data-hover-paused` on the scroller while the wheel or a key scrolls it and the pointer rests. Rows that pass below the
 * pointer then skip their hover styles and actions, because restyling them drops every second frame.
 */
export function usePausedHover(): { pause(event: SyntheticEvent<HTMLElement>): void; onPointerMove(event: PointerEvent<HTMLElement>): void } {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useMemo(() => {
    const resume = (scroller: HTMLElement) => {
      clearTimeout(timer.current);
      delete scroller.dataset["hoverPaused"];
    };
    return {
      pause({ currentTarget }) {
        clearTimeout(timer.current);
        currentTarget.dataset["hoverPaused"] = "";
        timer.current = setTimeout(() => resume(currentTarget), SCROLL_END_MS);
      },
      onPointerMove({ currentTarget, movementX, movementY }) {
        if (Math.abs(movementX) > JITTER_PX || Math.abs(movementY) > JITTER_PX) resume(currentTarget);
      },
    };
  }, []);
}
