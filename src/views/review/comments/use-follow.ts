import { useEffect, useRef, type RefObject } from "react";
import { canAutoScroll, scrollOffset } from "./model/hand.ts";
import { commentRowId } from "./reveal.ts";

/** Margin in pixels above and below an automatically scrolled row. */
const MARGIN_PX = 12;

/** Keeps the current comment in view while the user does not interact with the list. Scrolls only the list, never the page. */
export function useAutoScroll(listRef: RefObject<HTMLElement | null>, current: string | null) {
  const isPointerInside = useRef(false);
  const scrolledAt = useRef<number | null>(null);
  useEffect(() => {
    const container = listRef.current;
    const row = current === null ? null : document.getElementById(commentRowId(current));
    const isInside = isPointerInside.current || (container?.contains(document.activeElement) ?? false);
    if (!container || !row || container.scrollHeight <= container.clientHeight || !canAutoScroll({ isInside, scrolledAt: scrolledAt.current }, Date.now()))
      return;
    const shift = scrollOffset(row.getBoundingClientRect(), container.getBoundingClientRect(), MARGIN_PX);
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
