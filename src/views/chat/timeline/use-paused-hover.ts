import { type PointerEvent, type SyntheticEvent, useEffect, useRef } from "react";

/** Milliseconds after the last wheel event or key press within which the browser's smooth scroll ends. */
const SCROLL_END_MS = 300;
/** Pixels; turning the wheel moves the pointer by a pixel or two. */
const JITTER_PX = 2;

/**
 * Sets `data-hover-paused` on the scroller while the wheel or a key scrolls it and the pointer rests. Rows that pass below the
 * pointer then skip their hover styles and actions, because restyling them drops every second frame.
 */
export function usePausedHover() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const resume = (scroller: HTMLElement) => {
    clearTimeout(timer.current);
    delete scroller.dataset["hoverPaused"];
  };
  return {
    pause({ currentTarget }: SyntheticEvent<HTMLElement>) {
      clearTimeout(timer.current);
      currentTarget.dataset["hoverPaused"] = "";
      timer.current = setTimeout(() => resume(currentTarget), SCROLL_END_MS);
    },
    onPointerMove({ currentTarget, movementX, movementY }: PointerEvent<HTMLElement>) {
      if (Math.abs(movementX) > JITTER_PX || Math.abs(movementY) > JITTER_PX) resume(currentTarget);
    },
  };
}
