import { useEffect, type RefObject } from "react";
import type { TrackController } from "../../../audio/player/track-controller.ts";
import { CLICK_TOLERANCE_PX, isFullView, panView, pinchView, pixelsPerSecond, secondsAt, type VisibleRange, type ViewportStore } from "./viewport.ts";

/** Zoom per CSS pixel of wheel movement. A trackpad pinch arrives as small wheel events with Ctrl. */
const WHEEL_ZOOM = 0.0022;
const PINCH_ZOOM = 0.01;
/** CSS pixels per wheel line and wheel page. */
const WHEEL_LINE_PX = 16;
const WHEEL_PAGE_PX = 400;
/** Milliseconds after the last wheel event at which the gesture counts as finished. */
const WHEEL_REST_MS = 700;

/** Milliseconds that a finger rests before it selects instead of panning. */
const LONG_PRESS_MS = 400;

/**
 * Handles pointer and wheel gestures on the detail waveform as in audio editors: a click seeks, a drag selects a part, and a drag with Shift pans. A finger
 * pans, selects after a long press, and leaves vertical movement to the page; two fingers zoom. The wheel zooms at the pointer, or pans when horizontal or
 * with Shift. At full zoom-out, the wheel scrolls the page.
 */
export function useWaveformGestures(container: RefObject<HTMLElement | null>, trackController: TrackController, viewport: ViewportStore): void {
  useEffect(() => {
    const element = container.current!;
    const getLeft = () => element.getBoundingClientRect().left;
    const pointers = new Map<number, number>();
    let dragStart: { x: number; view: VisibleRange } | null = null;
    /** Seconds where a selection began; null while no part is being selected. */
    let selectionStart: number | null = null;
    let pressTimer: ReturnType<typeof setTimeout> | undefined;
    let heldSeconds: [number, number] | null = null;
    let hasMoved = false;
    let resumeFollowing: (() => void) | null = null;

    function startGesture() {
      const positions = [...pointers.values()];
      const view = viewport.view();
      clearTimeout(pressTimer);
      selectionStart = null;
      dragStart = positions.length === 1 ? { x: positions[0]!, view } : null;
      heldSeconds = positions.length === 2 ? [secondsAt(view, positions[0]!), secondsAt(view, positions[1]!)] : null;
    }
    function onDown(event: PointerEvent) {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      if (pointers.size === 0) hasMoved = false;
      pointers.set(event.pointerId, event.clientX - getLeft());
      resumeFollowing ??= viewport.suspendFollowing();
      if (pointers.size > 1) hasMoved = true;
      startGesture();
      if (!dragStart) return;
      const startSeconds = secondsAt(dragStart.view, dragStart.x);
      if (event.pointerType !== "touch") selectionStart = event.shiftKey ? null : startSeconds;
      else {
        pressTimer = setTimeout(() => {
          selectionStart = startSeconds;
          hasMoved = true;
          trackController.selectRange(startSeconds, startSeconds);
        }, LONG_PRESS_MS);
      }
    }
    function onMove(event: PointerEvent) {
      if (!pointers.has(event.pointerId)) return;
      const x = event.clientX - getLeft();
      pointers.set(event.pointerId, x);
      if (heldSeconds) {
        const [first, second] = [...pointers.values()];
        return viewport.setView(pinchView(viewport.view(), heldSeconds, [first!, second!], viewport.duration));
      }
      if (!dragStart) return;
      hasMoved ||= Math.abs(x - dragStart.x) > CLICK_TOLERANCE_PX;
      if (!hasMoved) return;
      clearTimeout(pressTimer);
      if (selectionStart !== null) trackController.selectRange(selectionStart, secondsAt(viewport.view(), Math.max(0, Math.min(x, viewport.view().width))));
      else viewport.setView(panView(dragStart.view, (dragStart.x - x) / (pixelsPerSecond(dragStart.view) || 1), viewport.duration));
    }
    function onUp(event: PointerEvent) {
      if (!pointers.delete(event.pointerId)) return;
      if (pointers.size > 0) return startGesture();
      clearTimeout(pressTimer);
      if (!hasMoved && event.type === "pointerup") trackController.seek(secondsAt(viewport.view(), event.clientX - getLeft()));
      dragStart = heldSeconds = selectionStart = null;
      resumeFollowing?.();
      resumeFollowing = null;
    }

    // Otherwise the browser would scroll the page, or open its menu, under a finger that selects.
    const keepTouch = (event: Event) => selectionStart !== null && event.preventDefault();

    let restTimer: ReturnType<typeof setTimeout> | undefined;
    let resumeAfterWheel: (() => void) | null = null;
    function onWheel(event: WheelEvent) {
      const unit = event.deltaMode === 1 ? WHEEL_LINE_PX : event.deltaMode === 2 ? WHEEL_PAGE_PX : 1;
      const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
      const view = viewport.view();
      const sideways = event.shiftKey ? dx || dy : Math.abs(dx) > Math.abs(dy) ? dx : 0;
      // The view cannot zoom out further, so the wheel scrolls the page.
      if (sideways === 0 && dy > 0 && !event.ctrlKey && isFullView(view, viewport.duration)) return;
      event.preventDefault();
      resumeAfterWheel ??= viewport.suspendFollowing();
      clearTimeout(restTimer);
      restTimer = setTimeout(() => {
        resumeAfterWheel?.();
        resumeAfterWheel = null;
      }, WHEEL_REST_MS);
      if (sideways !== 0) viewport.pan(sideways / (pixelsPerSecond(view) || 1));
      else viewport.zoom(Math.exp(-dy * (event.ctrlKey ? PINCH_ZOOM : WHEEL_ZOOM)), secondsAt(view, event.clientX - getLeft()));
    }

    const controller = new AbortController();
    const { signal } = controller;
    element.addEventListener("pointerdown", onDown, { signal });
    element.addEventListener("pointermove", onMove, { signal });
    element.addEventListener("pointerup", onUp, { signal });
    element.addEventListener("pointercancel", onUp, { signal });
    element.addEventListener("touchmove", keepTouch, { passive: false, signal });
    element.addEventListener("contextmenu", keepTouch, { signal });
    element.addEventListener("wheel", onWheel, { passive: false, signal });
    return () => {
      controller.abort();
      clearTimeout(restTimer);
      clearTimeout(pressTimer);
      resumeFollowing?.();
      resumeAfterWheel?.();
    };
  }, [container, trackController, viewport]);
}
