import { type RefObject, useRef } from "react";

/**
 * Keeps the first row in view in place while rows are measured. The virtual list compensates for measured rows above the view, but for rows in view only
 * during a scroll, which the list may consider ended before a busy page has measured them.
 */
export function useScrollAnchor(scroller: RefObject<HTMLElement | null>) {
  /** The remembered row and its distance in pixels from the top of the view. */
  const anchor = useRef<{ row: Element; top: number } | null>(null);
  const isScrolling = useRef(false);
  const topInView = (row: Element) => row.getBoundingClientRect().top - scroller.current!.getBoundingClientRect().top;
  return {
    /** Called on each scroll: remembers the first measured row that begins in view. */
    onScroll() {
      isScrolling.current = true;
      const view = scroller.current!;
      const { top: viewTop } = view.getBoundingClientRect();
      anchor.current = null;
      for (const row of view.querySelectorAll("li")) {
        // The list hides rows that it has not measured yet.
        if (row.style.visibility === "hidden") continue;
        const top = row.getBoundingClientRect().top - viewTop;
        if (top < 0) continue;
        if (top < view.clientHeight) anchor.current = { row, top };
        break;
      }
    },
    /** Called after rows are measured: scrolls by as much as the remembered row has moved. */
    onResize() {
      if (!anchor.current?.row.isConnected) return;
      const movedPx = topInView(anchor.current.row) - anchor.current.top;
      if (Math.abs(movedPx) >= 1) scroller.current?.scrollBy({ top: movedPx, behavior: "instant" });
      if (!isScrolling.current) anchor.current = null;
    },
    /** Called when a scroll ends: forgets the row, so that a row that grows later, for example while it is edited, grows downward. */
    onScrollEnd({ isMeasuring }: { isMeasuring: boolean }) {
      isScrolling.current = false;
      if (!isMeasuring) anchor.current = null;
    },
  };
}
