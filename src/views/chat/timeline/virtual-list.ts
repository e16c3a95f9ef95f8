/** Reads and scrolls the timeline's virtual list by the DOM, because the list updates its own offset only with the next scroll event. */
import type { RefObject } from "react";
import type { VirtualizerHandle } from "virtua";
import { HEADER_HEIGHT_PX } from "./TimelineHeader.tsx";

export interface ListRefs {
  scroller: RefObject<HTMLDivElement | null>;
  list: RefObject<VirtualizerHandle | null>;
}

/** Place of a row in the view: `start` leaves `UNREAD_OFFSET_PX` above the row; `nearest` scrolls only if the row is out of view. */
export type RowAlignment = "start" | "center" | "nearest";

const UNREAD_OFFSET_PX = 72;
/** Pixels of rows rendered beyond the viewport on both sides, so that fast scrolling shows no blanks. */
export const RENDER_AHEAD_PX = 1_000;
/** Minimum pixels of rendered rows above the view; with fewer, or fewer than the last scroll covered, a scroll up renders rows synchronously. */
const MIN_RENDERED_PX = 500;

/** Scrolls to the list's own offset of the end: on iOS the list applies measurements to its height at once, but to its offsets only after a scroll. */
export function scrollToEnd({ scroller, list }: ListRefs, rowCount: number): void {
  const element = scroller.current;
  if (!element || !list.current) return;
  const unappliedPx = element.querySelector("ul")!.offsetHeight - list.current.getItemOffset(rowCount);
  element.scrollTo({ top: element.scrollHeight - unappliedPx, behavior: "instant" });
}

/** Scrolls to a row. Replaces the list's `scrollToIndex`, which returns to its target even if the reader scrolls meanwhile. */
export function scrollToRow({ scroller, list }: ListRefs, index: number, alignment: RowAlignment): void {
  const element = scroller.current;
  const handle = list.current;
  if (!element || !handle || index < 0) return;
  const top = HEADER_HEIGHT_PX + handle.getItemOffset(index);
  const bottomAligned = top + handle.getItemSize(index) - handle.viewportSize;
  const nearest = Math.min(Math.max(element.scrollTop, bottomAligned), top);
  const offset = { start: top - UNREAD_OFFSET_PX, center: (top + bottomAligned) / 2, nearest }[alignment];
  element.scrollTo({ top: offset, behavior: "instant" });
}

/** Returns whether some rendered rows are not measured yet; the list hides those rows. */
export function isMeasuring({ scroller, list }: ListRefs): boolean {
  return !list.current?.viewportSize || !scroller.current?.querySelector("li") || scroller.current.querySelector('li[style*="hidden"]') !== null;
}

export function findMiddleIndex(scroller: HTMLElement | null, handle: VirtualizerHandle): number {
  return handle.findItemIndex((scroller?.scrollTop ?? 0) + handle.viewportSize / 2);
}

/** Returns whether the view has moved up from `previousOffset` and another such move would leave the rendered rows. */
export function isRunningOutOfRows(scroller: HTMLElement, previousOffset: number): boolean {
  if (scroller.scrollTop >= previousOffset) return false;
  // The list renders rows only up to `RENDER_AHEAD_PX` ahead.
  const neededPx = Math.min(Math.max(MIN_RENDERED_PX, previousOffset - scroller.scrollTop), RENDER_AHEAD_PX);
  const edge = Math.max(0, scroller.scrollTop - HEADER_HEIGHT_PX - neededPx);
  // A row that is focused or edited stays rendered alone, far from the others.
  const row = [...scroller.querySelectorAll("li")].findLast(({ offsetTop }) => offsetTop <= edge + 1);
  return !row || row.offsetTop + row.offsetHeight < edge - 1;
}
