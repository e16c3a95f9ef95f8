/**
 * Computes which of many rows of equal height to render. Positions follow from row indexes, so that nothing is measured, nothing moves when a row
 * loads, and any position can be reached at once.
 */
import { useEffect, useEffectEvent, useLayoutEffect, useState, type RefObject } from "react";

interface RowWindowOptions {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  /** CSS pixels. */
  rowHeight: number;
  /** Height of the sticky header that covers the scroller's top, in CSS pixels. */
  stickyHeaderHeight: number;
}

/** Rows rendered outside the viewport on both sides. */
const OVERSCAN = 8;
/** The window moves by this many rows at a time, so that not every scrolled pixel causes a render. */
const STRIDE = 6;

export interface RowWindow {
  /** The first rendered row, and the row after the last one. */
  from: number;
  to: number;
}

/** Returns the rows to render for a viewport of `height` pixels that starts at `top`. */
export function computeRowWindow(top: number, height: number, rowHeight: number, count: number): RowWindow {
  const first = Math.floor(top / rowHeight);
  const last = Math.ceil((top + height) / rowHeight);
  const from = Math.floor((first - OVERSCAN) / STRIDE) * STRIDE;
  const to = Math.ceil((last + OVERSCAN) / STRIDE) * STRIDE;
  return { from: Math.max(0, Math.min(from, count)), to: Math.max(0, Math.min(to, count)) };
}

export function useRowWindow({ scroller, count, rowHeight, stickyHeaderHeight }: RowWindowOptions) {
  const [{ from, to }, setWindow] = useState<RowWindow>({ from: 0, to: Math.min(count, 40) });
  const updateWindow = useEffectEvent(() => {
    const element = scroller.current;
    if (!element) return;
    const next = computeRowWindow(element.scrollTop, element.clientHeight, rowHeight, count);
    if (next.from !== from || next.to !== to) setWindow(next);
  });
  useLayoutEffect(() => updateWindow(), [count, rowHeight]);
  useEffect(() => {
    const element = scroller.current!;
    const onScroll = () => updateWindow();
    element.addEventListener("scroll", onScroll, { passive: true });
    const observer = new ResizeObserver(onScroll);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", onScroll);
      observer.disconnect();
    };
  }, [scroller]);

  /** Scrolls a row into view by the shortest distance. */
  const reveal = (row: number) => {
    const element = scroller.current;
    if (!element) return;
    const top = row * rowHeight;
    const bottom = top + rowHeight + stickyHeaderHeight;
    const targetTop = top < element.scrollTop ? top : bottom > element.scrollTop + element.clientHeight ? bottom - element.clientHeight : null;
    if (targetTop !== null) element.scrollTo({ top: targetTop, behavior: "instant" });
  };
  return { from: Math.min(from, count), to: Math.min(to, count), reveal };
}
