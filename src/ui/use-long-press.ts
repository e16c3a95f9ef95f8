import { useRef, type PointerEvent } from "react";

const LONG_PRESS_MS = 450;
/** A finger that moves farther than this, in pixels, scrolls instead. */
const MOVE_TOLERANCE_PX = 10;

/** Calls `onLongPress` when a finger rests on the element, and suppresses the click that lifting the finger would cause. */
export function useLongPress(onLongPress: (at: { clientX: number; clientY: number }) => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null);
  const fired = useRef(false);
  const end = () => {
    clearTimeout(press.current?.timer);
    press.current = null;
  };
  return {
    onPointerDown({ pointerType, clientX, clientY }: PointerEvent) {
      end();
      fired.current = false;
      if (pointerType !== "touch") return;
      const timer = setTimeout(() => {
        fired.current = true;
        onLongPress({ clientX, clientY });
      }, LONG_PRESS_MS);
      press.current = { timer, x: clientX, y: clientY };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      if (press.current && Math.hypot(clientX - press.current.x, clientY - press.current.y) > MOVE_TOLERANCE_PX) end();
    },
    onPointerUp: end,
    onPointerCancel: end,
    // Lifting the finger must not press what opened under it.
    onTouchEnd(event: { preventDefault(): void }) {
      if (fired.current) event.preventDefault();
    },
    onClickCapture(event: { preventDefault(): void; stopPropagation(): void }) {
      if (!fired.current) return;
      fired.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
