/** Controls the timeline's scroll position: scrolls to the target, follows the end as messages arrive, and otherwise keeps the reader's place. */
import { useEffect, useEffectEvent, useLayoutEffect, useReducer, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { VirtualizerHandle } from "virtua";
import type { ScrollTarget } from "./initial-position.ts";
import { indexOfMessage, indexOfNearestMessage, type Row, rowDatetime } from "./rows.ts";
import { dayLabel, HEADER_HEIGHT_PX } from "./TimelineHeader.tsx";
import { useScrollAnchor } from "./use-scroll-anchor.ts";
import { useScrollIdle } from "./use-scroll-idle.ts";

export interface TimelineScrollProps {
  /** The position to scroll to; a new object scrolls there again. */
  scrollTarget: ScrollTarget;
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
  isLoadingPage: boolean;
  olderFailed: boolean;
  newerFailed: boolean;
  onLoadOlder(): void;
  onLoadNewer(): void;
  /** Asks to trim an overlong list at the end far from the reader. */
  onTrim(endToKeep: "newest" | "oldest"): void;
  onAtEnd(atEnd: boolean): void;
  /** Receives the message in the middle of the view; null at the end of the chat. */
  onPositionChange(messageId: number | null): void;
  /** Called when the reader scrolls away from the end; `onAtEnd` can also report false for a moment as messages arrive. */
  onLeaveEnd(): void;
}

/** Pixels; a smaller distance to the end counts as at the end. */
const END_THRESHOLD_PX = 40;
/** Pixels before the loaded end at which the next page is requested; a fast fling covers about 3,000 while one loads. */
const PREFETCH_DISTANCE_PX = 2_500;
/** Pixels of rows rendered beyond the viewport on both sides, so that fast scrolling shows no blanks. */
export const BUFFER_PX = 1_000;
/** Minimum pixels of rendered rows above the view; with fewer, or fewer than the last scroll covered, a scroll up renders rows synchronously. */
const MIN_RENDERED_PX = 500;
/** Pixels of space above the unread line. */
const UNREAD_OFFSET_PX = 72;
/** Maximum rows while following the end, where messages may arrive without a pause; the far end is trimmed beyond it. */
const MAX_ROWS_FOLLOWING = 2_500;
/** Maximum rows while the reader scrolls up without a pause; the newest end is trimmed beyond it. */
const MAX_ROWS_SCROLLING_UP = 4_000;
/**
 * Milliseconds without a row measurement after which a held row is released. This is longer than the 150 ms after which the virtual list ends a scroll,
 * because the list then renders rows on the far side of the view, which must be measured first.
 */
const HOLD_MS = 300;
const HIGHLIGHT_MS = 2_500;
const DAY_LABEL_MS = 1_200;
/** Milliseconds for the list to measure its rows; a placeholder shows until then. */
const SETTLE_MS = 120;
/** Milliseconds after which a scroll counts as ended, because `onScrollEnd` is not called if nothing scrolled, nor in every browser. */
const SCROLL_REST_MS = 200;

/** Key of a row and its place in the view: `start` leaves `UNREAD_OFFSET_PX` above the row; `nearest` scrolls only if the row is out of view. */
interface HeldRow {
  key: string;
  align: "start" | "center" | "nearest";
}

export function useTimelineScroll(rows: readonly Row[], props: TimelineScrollProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const isFollowingEnd = useRef(props.scrollTarget.at === "end");
  /** The row that keeps its place in the view until the rows around it are measured or the reader scrolls. */
  const heldRow = useRef<HeldRow | null>(null);
  const anchor = useScrollAnchor(scroller);
  const holdTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const restTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The latest `updateScrollState`, for timers. */
  const latestUpdate = useRef(() => {});
  /** True while the reader scrolls up by wheel, key or touch, when row measurements must not pull the view back to the end. */
  const isScrollingUp = useRef(false);
  const lastOffset = useRef(0);
  const lastHeight = useRef(0);
  const [settled, setSettled] = useState(false);
  /** Null until first reported, because another loaded window may have had another position before. */
  const [atEnd, setAtEnd] = useState<boolean | null>(null);
  const [day, setDay] = useTransientState<string>(DAY_LABEL_MS);
  const [highlighted, setHighlighted] = useTransientState<number>(HIGHLIGHT_MS);
  const [, rerender] = useReducer((count: number) => count + 1, 0);

  // Scrolls to the list's own offset of the end: on iOS the list applies measurements to its height at once, but to its offsets only after a scroll.
  const pinToEnd = () => {
    const element = scroller.current;
    const handle = list.current;
    if (!element || !handle) return;
    const unappliedPx = element.querySelector("ul")!.offsetHeight - handle.getItemOffset(rows.length);
    element.scrollTo({ top: element.scrollHeight - unappliedPx, behavior: "instant" });
  };

  const pinToRow = ({ key, align }: HeldRow) => {
    const element = scroller.current;
    const handle = list.current;
    const index = rows.findIndex((row) => row.key === key);
    if (!element || !handle || index < 0) return;
    const top = HEADER_HEIGHT_PX + handle.getItemOffset(index);
    const bottomAligned = top + handle.getItemSize(index) - handle.viewportSize;
    const nearest = Math.min(Math.max(element.scrollTop, bottomAligned), top);
    const offset = { start: top - UNREAD_OFFSET_PX, center: (top + bottomAligned) / 2, nearest }[align];
    element.scrollTo({ top: offset, behavior: "instant" });
  };

  const endScrollUp = () => {
    clearTimeout(restTimer.current);
    isScrollingUp.current = false;
  };
  const releaseRow = () => {
    clearTimeout(holdTimer.current);
    heldRow.current = null;
  };
  /** Returns whether some rendered rows are not measured yet; the list hides those rows. */
  const isMeasuring = () =>
    !list.current?.viewportSize || !scroller.current?.querySelector("li") || scroller.current.querySelector('li[style*="hidden"]') !== null;
  const restartHoldTimer = () => {
    clearTimeout(holdTimer.current);
    holdTimer.current = setTimeout(() => {
      // A busy page, or one in the background, measures late.
      if (isMeasuring()) return restartHoldTimer();
      releaseRow();
      latestUpdate.current();
    }, HOLD_MS);
  };

  /** Scrolls to a row and keeps it in place. Replaces the list's `scrollToIndex`, which returns to its target even if the reader scrolls meanwhile. */
  const holdRow = (row: HeldRow) => {
    heldRow.current = row;
    pinToRow(row);
    restartHoldTimer();
  };

  /** Keeps the held row, or else the end of a chat that the reader follows, in place while rows are added and measured. */
  const keepPosition = () => {
    if (heldRow.current) pinToRow(heldRow.current);
    else if (isFollowingEnd.current) pinToEnd();
  };

  const scrollToTarget = useEffectEvent((scrollTarget: ScrollTarget) => {
    const unreadRow = scrollTarget.at === "unread" ? rows.find(({ kind }) => kind === "unread") : undefined;
    isFollowingEnd.current = scrollTarget.at === "end" || (scrollTarget.at === "unread" && !unreadRow);
    endScrollUp();
    releaseRow();
    if (scrollTarget.at === "message") {
      const exactIndex = indexOfMessage(rows, scrollTarget.id);
      const row = rows[exactIndex >= 0 ? exactIndex : indexOfNearestMessage(rows, scrollTarget.id)];
      if (row) holdRow({ key: row.key, align: "center" });
      setHighlighted(exactIndex >= 0 ? scrollTarget.id : null);
    } else if (unreadRow) holdRow({ key: unreadRow.key, align: "start" });
    else pinToEnd();
  });
  const isEmpty = rows.length === 0;
  useLayoutEffect(() => {
    if (!isEmpty) scrollToTarget(props.scrollTarget);
  }, [props.scrollTarget, isEmpty]);

  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, []);

  const onRowsRendered = useEffectEvent(keepPosition);
  useLayoutEffect(() => {
    if (rows.length > 0) onRowsRendered();
  }, [rows]);

  const stopFollowing = () => {
    if (isFollowingEnd.current) props.onLeaveEnd();
    isFollowingEnd.current = false;
  };

  /** Returns whether the view has moved up and another such move would leave the rendered rows. */
  const isRunningOutOfRows = (): boolean => {
    const element = scroller.current;
    if (!element || rows.length === 0 || element.scrollTop >= lastOffset.current) return false;
    // The list renders rows only up to `BUFFER_PX` ahead.
    const neededPx = Math.min(Math.max(MIN_RENDERED_PX, lastOffset.current - element.scrollTop), BUFFER_PX);
    const edge = Math.max(0, element.scrollTop - HEADER_HEIGHT_PX - neededPx);
    // A row that is focused or edited stays rendered alone, far from the others.
    const row = [...element.querySelectorAll("li")].findLast(({ offsetTop }) => offsetTop <= edge + 1);
    return !row || row.offsetTop + row.offsetHeight < edge - 1;
  };

  // Reads `scrollTop`, because the list updates its own offset only with the scroll event.
  const findMiddleIndex = (handle: VirtualizerHandle) => handle.findItemIndex((scroller.current?.scrollTop ?? 0) + handle.viewportSize / 2);

  const updateScrollState = () => {
    const element = scroller.current;
    // If no loaded message has a row, nothing can be scrolled, so the next page loads at once.
    if (rows.length === 0 && settled && props.hasMoreBefore && !props.olderFailed) props.onLoadOlder();
    if (!element || !list.current || rows.length === 0) return;
    const offset = element.scrollTop;
    const distanceToEnd = element.scrollHeight - offset - element.clientHeight;
    const isAtEnd = distanceToEnd <= END_THRESHOLD_PX && !props.hasMoreAfter;
    // While rows are not measured, the view can appear to be at the end.
    if (!heldRow.current || !isMeasuring()) {
      if (isAtEnd) isFollowingEnd.current = !isScrollingUp.current;
      // The browser scrolls a resized view, for example when an on-screen keyboard or the reply bar opens.
      else if (heldRow.current || (offset < lastOffset.current - 1 && element.clientHeight === lastHeight.current)) stopFollowing();
      const middleRow = rows[findMiddleIndex(list.current)];
      if (settled) props.onPositionChange(isFollowingEnd.current || middleRow?.kind !== "message" ? null : middleRow.message.id);
      if (isAtEnd !== atEnd) {
        setAtEnd(isAtEnd);
        props.onAtEnd(isAtEnd);
      }
    }
    lastOffset.current = offset;
    lastHeight.current = element.clientHeight;
    // Before the initial scroll the view is at the top and would load every page.
    if (!settled) return;
    if (offset < PREFETCH_DISTANCE_PX && props.hasMoreBefore && !props.olderFailed) props.onLoadOlder();
    if (distanceToEnd < PREFETCH_DISTANCE_PX && props.hasMoreAfter && !props.newerFailed) props.onLoadNewer();
  };

  const isInNewerHalf = () => list.current !== null && findMiddleIndex(list.current) > rows.length / 2;

  /** Trims one end of the list, unless that end is so close that it would load again at once, for example if nearly all messages are deleted. */
  const trim = (endToKeep: "newest" | "oldest") => {
    if (!scroller.current) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller.current;
    const distance = endToKeep === "newest" ? scrollTop : scrollHeight - scrollTop - clientHeight;
    if (distance >= PREFETCH_DISTANCE_PX) props.onTrim(endToKeep);
  };

  // Trims only when idle, because removing rows above during a scroll makes the list lose its position and stick to one end.
  const scrollIdle = useScrollIdle(() => {
    if (list.current) trim(isInNewerHalf() ? "newest" : "oldest");
  });

  // Row changes can bring the view near an end without a scroll, as can a page that an earlier mount of this chat requested.
  const onRowsChanged = useEffectEvent(() => {
    updateScrollState();
    scrollIdle.schedule();
    if (isFollowingEnd.current && rows.length > MAX_ROWS_FOLLOWING) trim("newest");
    // Rows below the view can be removed even during a scroll, because the view does not move.
    else if (rows.length > MAX_ROWS_SCROLLING_UP && list.current && !isInNewerHalf()) trim("oldest");
  });
  useEffect(() => onRowsChanged(), [rows, settled, props.hasMoreBefore, props.hasMoreAfter, props.isLoadingPage]);

  const onResize = () => {
    if (heldRow.current) restartHoldTimer();
    if (heldRow.current || isFollowingEnd.current) keepPosition();
    else anchor.restore();
    updateScrollState();
  };
  // Keeps the position when the view shrinks, for example because the reply bar opens below it.
  const onViewportResize = useEffectEvent(onResize);
  useEffect(() => {
    const observer = new ResizeObserver(() => onViewportResize());
    observer.observe(scroller.current!);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    latestUpdate.current = updateScrollState;
  });
  const scheduleRest = () => {
    clearTimeout(restTimer.current);
    restTimer.current = setTimeout(() => {
      endScrollUp();
      latestUpdate.current();
    }, SCROLL_REST_MS);
  };
  useEffect(
    () => () => {
      clearTimeout(holdTimer.current);
      clearTimeout(restTimer.current);
    },
    [],
  );

  return {
    scroller,
    list,
    settled,
    /** The day in view during a scroll. */
    day,
    /** Id of the message the reader has just jumped to. */
    highlighted,
    onResize,
    onScroll() {
      anchor.remember();
      const needsRows = isRunningOutOfRows();
      scrollIdle.onScroll();
      if (isScrollingUp.current) scheduleRest();
      updateScrollState();
      const handle = list.current;
      if (handle && settled) {
        const datetime = isFollowingEnd.current ? null : rowDatetime(rows[handle.findItemIndex(handle.scrollOffset)]);
        setDay(datetime === null ? null : dayLabel(datetime));
      }
      // A busy page would render the rows late and show a gap until then.
      if (needsRows) flushSync(rerender);
    },
    onScrollEnd() {
      anchor.rest({ isMeasuring: isMeasuring() });
      endScrollUp();
      updateScrollState();
    },
    /** Scrolls a row into view, even if it is not rendered yet. */
    showRow(row: Row) {
      stopFollowing();
      holdRow({ key: row.key, align: "nearest" });
    },
    /** Called before the reader scrolls by wheel, pointer or key, so that row measurements do not scroll back. */
    releaseRow() {
      if (!heldRow.current) return;
      releaseRow();
      scheduleRest();
    },
    /** Called when the reader scrolls up, so that row measurements do not scroll back to the end. */
    onUserScrollUp() {
      if ((scroller.current?.scrollTop ?? 0) <= 0) return;
      isScrollingUp.current = true;
      stopFollowing();
      scheduleRest();
    },
  };
}

/** Holds a value that resets to null `ms` milliseconds after it was last set. */
function useTransientState<T>(ms: number): [T | null, (value: T | null) => void] {
  const [value, setValue] = useState<T | null>(null);
  useEffect(() => {
    if (value === null) return;
    const timer = setTimeout(() => setValue(null), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return [value, setValue];
}
