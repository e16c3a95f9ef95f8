import { useEffect, useMemo, useRef, type PointerEvent, type WheelEvent } from "react";

/** As long as the virtual list counts a scroll as going on after its last event. */
const GOES_ON_MS = 150;

/**
 * Marks the scroller with `data-wheeling` while a wheel turns and the pointer rests: rows that pass below it then need not answer to it.
 * Whatever else scrolls the list must not take a press from the person who is about to make it.
 */
export function useWheeling(): { onWheel(event: WheelEvent<HTMLElement>): void; onPointerMove(event: PointerEvent<HTMLElement>): void } {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useMemo(() => {
    const rest = (scroller: HTMLElement) => {
      clearTimeout(timer.current);
      delete scroller.dataset["wheeling"];
    };
    return {
      onWheel({ currentTarget }) {
        clearTimeout(timer.current);
        currentTarget.dataset["wheeling"] = "";
        timer.current = setTimeout(() => rest(currentTarget), GOES_ON_MS);
      },
      onPointerMove: ({ currentTarget }) => rest(currentTarget),
    };
  }, []);
}
