import { useEffect, type RefObject } from "react";
import type { Deck } from "../../../../audio/deck.ts";
import type { Lane } from "../../model/lane.ts";
import { isWhole, moved, pinched, pixelsPerSecond, secondsAt, type Viewport } from "../../model/viewport.ts";

/** CSS pixels. A hand that moved less has pressed, not dragged. */
const SLIP = 4;
/** How much one CSS pixel of a wheel zooms; a trackpad's pinch comes as small wheels with Ctrl. */
const WHEEL_ZOOM = 0.0022;
const PINCH_ZOOM = 0.01;
/** CSS pixels of a wheel's line and page. */
const LINE = 16;
const PAGE = 400;
/** After the last turn of the wheel the hand counts as taken off. */
const WHEEL_REST_MS = 700;

/**
 * The hand on the lane, as in editors: a press seeks, dragging moves, two fingers zoom, the wheel zooms where the pointer is,
 * sideways or with Shift it moves. Zoomed out all the way the wheel is the page's again.
 */
export function useLaneGestures(field: RefObject<HTMLElement | null>, deck: Deck, lane: Lane): void {
  useEffect(() => {
    const element = field.current!;
    const left = () => element.getBoundingClientRect().left;
    const fingers = new Map<number, number>();
    let start: { x: number; view: Viewport } | null = null;
    let held: [number, number] | null = null;
    let dragged = false;
    let letGo: (() => void) | null = null;

    /** Begins anew with the fingers that are down now. */
    function grip() {
      const at = [...fingers.values()];
      const view = lane.view();
      start = at.length === 1 ? { x: at[0]!, view } : null;
      held = at.length === 2 ? [secondsAt(view, at[0]!), secondsAt(view, at[1]!)] : null;
    }
    function onDown(event: PointerEvent) {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      if (fingers.size === 0) dragged = false;
      fingers.set(event.pointerId, event.clientX - left());
      letGo ??= lane.hold();
      if (fingers.size > 1) dragged = true;
      grip();
    }
    function onMove(event: PointerEvent) {
      if (!fingers.has(event.pointerId)) return;
      const x = event.clientX - left();
      fingers.set(event.pointerId, x);
      if (held) {
        const [one, other] = [...fingers.values()];
        return lane.show(pinched(lane.view(), held, [one!, other!], lane.duration));
      }
      if (!start) return;
      dragged ||= Math.abs(x - start.x) > SLIP;
      if (dragged) lane.show(moved(start.view, (start.x - x) / (pixelsPerSecond(start.view) || 1), lane.duration));
    }
    function onUp(event: PointerEvent) {
      if (!fingers.delete(event.pointerId)) return;
      if (fingers.size > 0) return grip();
      if (!dragged && event.type === "pointerup") deck.seek(secondsAt(lane.view(), event.clientX - left()));
      start = held = null;
      letGo?.();
      letGo = null;
    }

    let rest: ReturnType<typeof setTimeout> | undefined;
    let wheelOff: (() => void) | null = null;
    function onWheel(event: WheelEvent) {
      const unit = event.deltaMode === 1 ? LINE : event.deltaMode === 2 ? PAGE : 1;
      const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
      const view = lane.view();
      const sideways = event.shiftKey ? dx || dy : Math.abs(dx) > Math.abs(dy) ? dx : 0;
      // Nothing further out: the page scrolls on.
      if (sideways === 0 && dy > 0 && !event.ctrlKey && isWhole(view, lane.duration)) return;
      event.preventDefault();
      wheelOff ??= lane.hold();
      clearTimeout(rest);
      rest = setTimeout(() => {
        wheelOff?.();
        wheelOff = null;
      }, WHEEL_REST_MS);
      if (sideways !== 0) lane.move(sideways / (pixelsPerSecond(view) || 1));
      else lane.zoom(Math.exp(-dy * (event.ctrlKey ? PINCH_ZOOM : WHEEL_ZOOM)), secondsAt(view, event.clientX - left()));
    }

    element.addEventListener("pointerdown", onDown);
    element.addEventListener("pointermove", onMove);
    element.addEventListener("pointerup", onUp);
    element.addEventListener("pointercancel", onUp);
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      element.removeEventListener("pointerdown", onDown);
      element.removeEventListener("pointermove", onMove);
      element.removeEventListener("pointerup", onUp);
      element.removeEventListener("pointercancel", onUp);
      element.removeEventListener("wheel", onWheel);
      clearTimeout(rest);
      letGo?.();
      wheelOff?.();
    };
  }, [field, deck, lane]);
}
