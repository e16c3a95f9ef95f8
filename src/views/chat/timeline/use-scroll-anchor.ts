import { type RefObject, useRef } from "react";

/**
 * Keeps a row in view in place while rows are measured. The virtual list compensates for rows above the view, but for rows in view only until it counts
 * as not scrolling, which on a busy page can be before the frame that measures them.
 */
export function useScrollAnchor(scroller: RefObject<HTMLElement | null>) {
  /** A row and the pixels from the top of the view to its own. */
  const anchor = useRef<{ row: Element; top: number } | null>(null);
  const isScrolling = useRef(false);
  const topInView = (row: Element) => row.getBoundingClientRect().top - scroller.current!.getBoundingClientRect().top;
  return {
    /** Called at each scroll: remembers the first measured row that begins in view. */
    remember() {
      isScrolling.current = true;
      const { clientHeight } = scroller.current!;
      // The list hides the rows that are still to be measured.
      const measuredRows = [...scroller.current!.querySelectorAll("li")].filter(({ style }) => style.visibility !== "hidden");
      const row = measuredRows.find((candidate) => topInView(candidate) >= 0);
      anchor.current = row && topInView(row) < clientHeight ? { row, top: topInView(row) } : null;
    },
    /** Called after rows are measured: moves the view by as much as that row has moved. */
    restore() {
      if (!anchor.current?.row.isConnected) return;
      const movedPx = topInView(anchor.current.row) - anchor.current.top;
      if (Math.abs(movedPx) >= 1) scroller.current?.scrollBy({ top: movedPx, behavior: "instant" });
      if (!isScrolling.current) anchor.current = null;
    },
    /** Called when the view has come to rest: a row that grows later, as when it is edited, grows downward. */
    rest({ isMeasuring }: { isMeasuring: boolean }) {
      isScrolling.current = false;
      if (!isMeasuring) anchor.current = null;
    },
  };
}
