import { useEffect, useRef, type RefObject } from "react";
import { mayFollow, shiftFor } from "./model/hand.ts";
import { rowId } from "./reveal.ts";

/** Pixels above and below a row that comes into view by itself. */
const ROOM = 12;

/** Keeps the current comment in view while nobody is at the list. The list alone moves, never the page. */
export function useFollow(list: RefObject<HTMLElement | null>, current: string | null) {
  const inside = useRef(false);
  const scrolledAt = useRef<number | null>(null);
  useEffect(() => {
    const box = list.current;
    const row = current === null ? null : document.getElementById(rowId(current));
    const isInside = inside.current || (box?.contains(document.activeElement) ?? false);
    if (!box || !row || box.scrollHeight <= box.clientHeight || !mayFollow({ isInside, scrolledAt: scrolledAt.current }, Date.now())) return;
    const shift = shiftFor(row.getBoundingClientRect(), box.getBoundingClientRect(), ROOM);
    if (shift !== 0) box.scrollTo({ top: box.scrollTop + shift, behavior: "smooth" });
  }, [list, current]);
  const note = () => void (scrolledAt.current = Date.now());
  return {
    onPointerEnter: () => void (inside.current = true),
    onPointerLeave: () => void (inside.current = false),
    onWheel: note,
    onTouchMove: note,
    onKeyDown: note,
  };
}
