/** Controls the timeline's scroll position: scrolls to the target, follows the end as messages arrive, and otherwise keeps the reader's place. */
import { useEffect, useEffectEvent, useLayoutEffect, useReducer, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { VirtualizerHandle } from "virtua";
import { useClient } from "../../../client/client.ts";
import type { History } from "../../../queries/messages/history.ts";
import type { LoadedWindow } from "../../../queries/messages/use-message-history.ts";
import type { ChatLocation } from "./use-chat-location.ts";
import { indexOfMessage, indexOfNearestMessage, type Row, rowDatetime } from "./rows.ts";
import { dayLabel } from "./TimelineHeader.tsx";
import { useHeldRow } from "./use-held-row.ts";
import { useScrollAnchor } from "./use-scroll-anchor.ts";
import { useTimer, useTransientState } from "./use-timer.ts";
import { useTrimming } from "./use-trimming.ts";
import { findMiddleIndex, isMeasuring, isRunningOutOfRows, type ListRefs, scrollToEnd } from "./virtual-list.ts";

export interface TimelineScrollProps {
  /** A new `scrollTarget` scrolls there. */
  location: ChatLocation;
  history: History;
  loadedWindow: LoadedWindow;
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
const HIGHLIGHT_MS = 2_500;
const DAY_LABEL_MS = 1_200;
/** Milliseconds for the list to measure its rows; a placeholder shows until then. */
const INITIAL_MEASURE_MS = 120;
/** Milliseconds after which a scroll counts as ended, because `onScrollEnd` is not called if nothing scrolled, nor in every browser. */
const SCROLL_END_MS = 200;

export function useTimelineScroll(rows: readonly Row[], { location: { scrollTarget }, history, loadedWindow, ...props }: TimelineScrollProps) {
  const { hasMoreBefore, hasMoreAfter } = history;
  const { isLoadingPage, olderFailed, newerFailed } = loadedWindow;
  const { clock } = useClient();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const refs: ListRefs = { scroller, list };
  const isFollowingEnd = useRef(scrollTarget.at === "end");
  const anchor = useScrollAnchor(scroller);
  /** True while the reader scrolls up by wheel, key or touch, when row measurements must not pull the view back to the end. */
  const isScrollingUp = useRef(false);
  const lastOffset = useRef(0);
  const lastHeight = useRef(0);
  /** False until the list has had time to measure its first rows. */
  const [isReady, setIsReady] = useState(false);
  /** Null until first reported, because another loaded window may have had another position before. */
  const [atEnd, setAtEnd] = useState<boolean | null>(null);
  const [day, setDay] = useTransientState<string>(DAY_LABEL_MS);
  const [highlighted, setHighlighted] = useTransientState<number>(HIGHLIGHT_MS);
  const [, rerender] = useReducer((count: number) => count + 1, 0);

  /** The latest `updateScrollState`, for timers. */
  const latestUpdate = useRef(() => {});
  const heldRow = useHeldRow(refs, rows, () => latestUpdate.current());
  const scrollEndTimer = useTimer(() => {
    isScrollingUp.current = false;
    latestUpdate.current();
  }, SCROLL_END_MS);
  const trimming = useTrimming(refs, { rowCount: rows.length, minDistancePx: PREFETCH_DISTANCE_PX, onTrim: loadedWindow.trim });

  const endScrollUp = () => {
    scrollEndTimer.cancel();
    isScrollingUp.current = false;
  };

  /** Keeps the held row, or else the end of a chat that the reader follows, in place while rows are added and measured. */
  const keepPosition = () => {
    if (heldRow.isHeld()) heldRow.keepInPlace();
    else if (isFollowingEnd.current) scrollToEnd(refs, rows.length);
  };

  const scrollToTarget = useEffectEvent(() => {
    const unreadRow = scrollTarget.at === "unread" ? rows.find(({ kind }) => kind === "unread") : undefined;
    isFollowingEnd.current = scrollTarget.at === "end" || (scrollTarget.at === "unread" && !unreadRow);
    endScrollUp();
    heldRow.release();
    if (scrollTarget.at === "message") {
      const exactIndex = indexOfMessage(rows, scrollTarget.id);
      const row = rows[exactIndex >= 0 ? exactIndex : indexOfNearestMessage(rows, scrollTarget.id)];
      if (row) heldRow.hold(row, "center");
      setHighlighted(exactIndex >= 0 ? scrollTarget.id : null);
    } else if (unreadRow) heldRow.hold(unreadRow, "start");
    else scrollToEnd(refs, rows.length);
  });
  const isEmpty = rows.length === 0;
  useLayoutEffect(() => {
    if (!isEmpty) scrollToTarget();
  }, [scrollTarget, isEmpty]);

  useEffect(() => {
    const timer = setTimeout(() => setIsReady(true), INITIAL_MEASURE_MS);
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

  const updateScrollState = () => {
    const element = scroller.current;
    // If no loaded message has a row, nothing can be scrolled, so the next page loads at once.
    if (rows.length === 0 && isReady && hasMoreBefore && !olderFailed) loadedWindow.loadOlder();
    if (!element || !list.current || rows.length === 0) return;
    const offset = element.scrollTop;
    const distanceToEnd = element.scrollHeight - offset - element.clientHeight;
    const isAtEnd = distanceToEnd <= END_THRESHOLD_PX && !hasMoreAfter;
    // While rows are not measured, the view can appear to be at the end.
    if (!heldRow.isHeld() || !isMeasuring(refs)) {
      if (isAtEnd) isFollowingEnd.current = !isScrollingUp.current;
      // The browser scrolls a resized view, for example when an on-screen keyboard or the reply bar opens.
      else if (heldRow.isHeld() || (offset < lastOffset.current - 1 && element.clientHeight === lastHeight.current)) stopFollowing();
      const middleRow = rows[findMiddleIndex(element, list.current)];
      if (isReady) props.onPositionChange(isFollowingEnd.current || middleRow?.kind !== "message" ? null : middleRow.message.id);
      if (isAtEnd !== atEnd) {
        setAtEnd(isAtEnd);
        props.onAtEnd(isAtEnd);
      }
    }
    lastOffset.current = offset;
    lastHeight.current = element.clientHeight;
    // Before the initial scroll the view is at the top and would load every page.
    if (!isReady) return;
    if (offset < PREFETCH_DISTANCE_PX && hasMoreBefore && !olderFailed) loadedWindow.loadOlder();
    if (distanceToEnd < PREFETCH_DISTANCE_PX && hasMoreAfter && !newerFailed) loadedWindow.loadNewer();
  };

  useEffect(() => {
    latestUpdate.current = updateScrollState;
  });

  // Row changes can bring the view near an end without a scroll, as can a page that an earlier mount of this chat requested.
  const onRowsChanged = useEffectEvent(() => {
    updateScrollState();
    trimming.onRowsChanged(isFollowingEnd.current);
  });
  useEffect(() => onRowsChanged(), [rows, isReady, hasMoreBefore, hasMoreAfter, isLoadingPage]);

  const onResize = () => {
    if (heldRow.isHeld()) heldRow.restartTimer();
    if (heldRow.isHeld() || isFollowingEnd.current) keepPosition();
    else anchor.onResize();
    updateScrollState();
  };
  // Keeps the position when the view shrinks, for example because the reply bar opens below it.
  const onViewportResize = useEffectEvent(onResize);
  useEffect(() => {
    const observer = new ResizeObserver(() => onViewportResize());
    observer.observe(scroller.current!);
    return () => observer.disconnect();
  }, []);

  return {
    scroller,
    list,
    isReady,
    /** The day in view during a scroll. */
    day,
    /** Id of the message the reader has just jumped to. */
    highlighted,
    onResize,
    onScroll() {
      anchor.onScroll();
      const needsRows = scroller.current !== null && rows.length > 0 && isRunningOutOfRows(scroller.current, lastOffset.current);
      trimming.onScroll();
      if (isScrollingUp.current) scrollEndTimer.restart();
      updateScrollState();
      const handle = list.current;
      if (handle && isReady) {
        const datetime = isFollowingEnd.current ? null : rowDatetime(rows[handle.findItemIndex(handle.scrollOffset)]);
        setDay(datetime === null ? null : dayLabel(datetime, clock.now()));
      }
      // A busy page would render the rows late and show a gap until then.
      if (needsRows) flushSync(rerender);
    },
    onScrollEnd() {
      anchor.onScrollEnd({ isMeasuring: isMeasuring(refs) });
      endScrollUp();
      updateScrollState();
    },
    /** Scrolls a row into view, even if it is not rendered yet. */
    showRow(row: Row) {
      stopFollowing();
      heldRow.hold(row, "nearest");
    },
    /** Called before the reader scrolls by wheel, pointer or key, so that row measurements do not scroll back. */
    releaseRow() {
      if (!heldRow.isHeld()) return;
      heldRow.release();
      scrollEndTimer.restart();
    },
    /** Called when the reader scrolls up, so that row measurements do not scroll back to the end. */
    onUserScrollUp() {
      if ((scroller.current?.scrollTop ?? 0) <= 0) return;
      isScrollingUp.current = true;
      stopFollowing();
      scrollEndTimer.restart();
    },
  };
}
