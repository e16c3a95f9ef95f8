import { type RefObject, useRef } from "react";

/**
 * Keeps what the reader sees in place while rows are measured. The virtual list does so itself, but not for rows in view once it counts as not scrolling,
 * which on a busy page it does between a scroll and the frame in which the rows are measured.
 */
export function useScrollAnchor(scroller: RefObject<HTMLElement | null>) {
  /** A row and the pixels from the top of the view to its own. */
  const anchor = useRef<{ row: Element; top: number } | null>(null);
  const topInView = (row: Element) => row.getBoundingClientRect().top - scroller.current!.getBoundingClientRect().top;
  return {
    /** Remembers the first row at or below the top of the view that is measured. Called at each scroll, so that the anchor is never older than one. */
    remember() {
      // The list hides the rows that are still to be measured.
      const measuredRows = [...scroller.current!.querySelectorAll("li")].filter(({ style }) => style.visibility !== "hidden");
      const row = measuredRows.find((candidate) => topInView(candidate) >= 0);
      anchor.current = row ? { row, top: topInView(row) } : null;
    },
    /** Moves the view by as much as the row has moved since. Called after rows are measured. */
    restore() {
      if (!anchor.current?.row.isConnected) return;
      scroller.current?.scrollBy({ top: topInView(anchor.current.row) - anchor.current.top, behavior: "instant" });
    },
    /** Called when nothing scrolls any more: a row that grows then, as when it is edited, grows downward. */
    forget() {
      anchor.current = null;
    },
  };
}
