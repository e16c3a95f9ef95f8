import { type RefObject, useEffect, useRef } from "react";
import { commentRowId } from "./row-focus.ts";

/** Margin in pixels above and below an automatically scrolled row. */
const MARGIN_PX = 12;

/** Milliseconds after a manual scroll during which the list does not auto-scroll. */
export const MANUAL_SCROLL_PAUSE_MS = 6_000;

/** The closest part of the page that scrolls. */
const SCROLLER = "[data-scroller]";
/** The heading of the list, which stays above it. */
const LIST_HEAD = "[data-list-head]";

/**
 * Keeps the current comment in view while the user does not interact with the list. Scrolls only a panel that has the list as its content, never the
 * whole page, whose player would leave the view.
 */
export function useAutoScroll(listRef: RefObject<HTMLElement | null>, current: string | null) {
  const isPointerInside = useRef(false);
  const scrolledAt = useRef<number | null>(null);
  useEffect(() => {
    const list = listRef.current;
    const container = findScroller(list);
    const row = current === null ? null : document.getElementById(commentRowId(current));
    const isInside = isPointerInside.current || (list?.contains(document.activeElement) ?? false);
    if (!container || !row || !canAutoScroll({ isInside, scrolledAt: scrolledAt.current }, Date.now())) return;
    // The heading with the composer stays at the top of the panel.
    const { bottom } = container.getBoundingClientRect();
    const shift = scrollOffset(
      row.getBoundingClientRect(),
      { top: list!.parentElement!.querySelector(LIST_HEAD)!.getBoundingClientRect().bottom, bottom },
      MARGIN_PX,
    );
    if (shift !== 0) container.scrollTo({ top: container.scrollTop + shift, behavior: "smooth" });
  }, [listRef, current]);
  const recordScroll = () => void (scrolledAt.current = Date.now());
  return {
    onPointerEnter: () => void (isPointerInside.current = true),
    onPointerLeave: () => void (isPointerInside.current = false),
    onWheel: recordScroll,
    onTouchMove: recordScroll,
    onKeyDown: recordScroll,
  };
}

/** Returns the panel that scrolls the list; null if the whole page scrolls with it. */
function findScroller(list: HTMLElement | null): HTMLElement | null {
  const scroller = list?.closest<HTMLElement>(SCROLLER) ?? null;
  if (!scroller || scroller.scrollHeight <= scroller.clientHeight) return null;
  return getComputedStyle(scroller).overflowY === "auto" ? scroller : null;
}

/**
 * Returns whether the list can scroll by itself, so that it never moves while the user interacts with it: with pointer or focus inside, or by scrolling it
 * at the time `scrolledAt`.
 */
export const canAutoScroll = ({ isInside, scrolledAt }: { isInside: boolean; scrolledAt: number | null }, now: number): boolean =>
  !isInside && (scrolledAt === null || now - scrolledAt >= MANUAL_SCROLL_PAUSE_MS);

type Edges = Pick<DOMRect, "top" | "bottom">;

/** Returns the scroll distance that brings a row into view with a margin; 0 if it is already in view. */
export function scrollOffset(row: Edges, view: Edges, margin: number): number {
  if (row.top - margin < view.top) return row.top - margin - view.top;
  // A row taller than the view aligns to its top.
  if (row.bottom + margin > view.bottom) return Math.min(row.bottom + margin - view.bottom, row.top - margin - view.top);
  return 0;
}
