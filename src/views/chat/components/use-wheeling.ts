import { useEffect, useMemo, useRef, type PointerEvent, type WheelEvent } from "react";

/** After this long without a scroll event the virtual list counts its scroll as ended. */
const SCROLL_ENDS_MS = 150;

/**
 * Sets `data-wheeling` on the scroller while the wheel turns and the pointer does not move. Rows that pass below the pointer
 * then skip their hover styles and actions, which would cost every second frame.
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
        timer.current = setTimeout(() => rest(currentTarget), SCROLL_ENDS_MS);
      },
      onPointerMove: ({ currentTarget }) => rest(currentTarget),
    };
  }, []);
}
