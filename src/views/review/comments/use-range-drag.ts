import { useRef, useState, type PointerEvent } from "react";
import { CLICK_TOLERANCE_PX, secondsAt, type VisibleRange } from "../waveform/viewport.ts";

interface Range {
  /** Milliseconds. */
  from: number;
  to: number;
}

/** Lets the user draw a range by dragging over an empty part of the comment timeline. */
export function useRangeDrag(view: VisibleRange, onRange: (from: number, to: number) => void) {
  const dragStart = useRef<{ x: number; ms: number } | null>(null);
  const [range, setRange] = useState<Range | null>(null);
  const pointerX = (event: PointerEvent) => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const msAt = (x: number) => Math.max(0, secondsAt(view, x) * 1_000);
  const endDrag = () => {
    dragStart.current = null;
    setRange(null);
  };
  return {
    range,
    handlers: {
      onPointerDown(event: PointerEvent) {
        // Markers handle their own clicks, and a vertical touch drag scrolls the page.
        if (event.button !== 0 || (event.target as Element).closest("[data-marker]")) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const x = pointerX(event);
        dragStart.current = { x, ms: msAt(x) };
      },
      onPointerMove(event: PointerEvent) {
        const { current } = dragStart;
        const x = pointerX(event);
        if (!current || (range === null && Math.abs(x - current.x) <= CLICK_TOLERANCE_PX)) return;
        const ms = msAt(x);
        setRange({ from: Math.min(current.ms, ms), to: Math.max(current.ms, ms) });
      },
      onPointerUp() {
        const drawnRange = range;
        endDrag();
        if (drawnRange) onRange(drawnRange.from, drawnRange.to);
      },
      onPointerCancel: endDrag,
    },
  };
}
