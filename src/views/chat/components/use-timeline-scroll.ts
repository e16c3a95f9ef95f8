/** Where the timeline stands: at the place it was opened at, at the end while messages come in, or where its reader has gone. */
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { ScrollTarget } from "../model/opening.ts";
import { indexOfMessage, rowDatetime, indexOfNearestMessage, type Row } from "../model/rows.ts";
import { dayLabel } from "./Separators.tsx";
import { HEADER_HEIGHT_PX } from "./TimelineHead.tsx";
import { useScrollIdle } from "./use-calm.ts";
import { useTransientState } from "./use-passing.ts";

export interface TimelineScrollProps {
  /** Where to stand; a new object goes there again. */
  scrollTarget: ScrollTarget;
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
  olderFailed: boolean;
  newerFailed: boolean;
  onLoadOlder(): void;
  onLoadNewer(): void;
  /** The list is longer than it may be: which end is far from the reader. */
  onTrim(endToKeep: "newest" | "oldest"): void;
  onAtEnd(atEnd: boolean): void;
  /** The message in the middle of the view; null at the end of the chat. */
  onPositionChange(messageId: number | null): void;
  /** The reader goes away from the end; what comes in may also put it out of reach for a moment. */
  onLeaveEnd(): void;
}

/** Nearer to the end than this counts as being there, in pixels. */
const END_THRESHOLD_PX = 40;
/** Pages are asked for this far before their end comes into view, in pixels: a fast fling covers about 3,000 while one loads. */
const PREFETCH_DISTANCE_PX = 2_500;
/** Space left above the unread line, in pixels. */
const UNREAD_OFFSET_PX = 72;
/** Rows after which the far end is cut under a reader who stands at the end, where messages may come without a pause. */
const MAX_ROWS_FOLLOWING = 2_500;
/** Rows after which it is cut below a reader who goes on upward without a pause. */
const MAX_ROWS_SCROLLING_UP = 4_000;
const HIGHLIGHT_MS = 2_500;
const DAY_LABEL_MS = 1_200;
/** The list measures what it draws; until it stands still its shape shows instead. */
const SETTLE_MS = 120;
/** After a move that scrolled nothing, no end of scrolling is told; nor is it in every browser. */
const SCROLL_REST_MS = 200;

export function useTimelineScroll(rows: readonly Row[], props: TimelineScrollProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const isFollowingEnd = useRef(props.scrollTarget.at === "end");
  /** On the way up by wheel, key or finger: what is measured meanwhile must not pull the view back to the end. */
  const isScrollingUp = useRef(false);
  const lastOffset = useRef(0);
  const lastHeight = useRef(0);
  const [settled, setSettled] = useState(false);
  /** null: not told yet; another stretch may have stood elsewhere before. */
  const [atEnd, setAtEnd] = useState<boolean | null>(null);
  const [day, setDay] = useTransientState<string>(DAY_LABEL_MS);
  const [highlighted, setHighlighted] = useTransientState<number>(HIGHLIGHT_MS);

  const scrollToTarget = useEffectEvent((scrollTarget: ScrollTarget) => {
    const unreadIndex = scrollTarget.at === "unread" ? rows.findIndex(({ kind }) => kind === "unread") : -1;
    isFollowingEnd.current = scrollTarget.at === "end" || (scrollTarget.at === "unread" && unreadIndex < 0);
    if (scrollTarget.at === "message") {
      const exactIndex = indexOfMessage(rows, scrollTarget.id);
      list.current?.scrollToIndex(exactIndex >= 0 ? exactIndex : indexOfNearestMessage(rows, scrollTarget.id), { align: "center" });
      setHighlighted(exactIndex >= 0 ? scrollTarget.id : null);
    } else if (unreadIndex >= 0) list.current?.scrollToIndex(unreadIndex, { align: "start", offset: -UNREAD_OFFSET_PX });
    else list.current?.scrollToIndex(rows.length - 1, { align: "end", offset: HEADER_HEIGHT_PX });
  });
  const isEmpty = rows.length === 0;
  useLayoutEffect(() => {
    if (!isEmpty) scrollToTarget(props.scrollTarget);
  }, [props.scrollTarget, isEmpty]);

  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, []);

  // Not by the list's own way, which goes on pulling until nothing was measured for 150 ms, whatever the reader does meanwhile.
  const pinToEnd = useCallback(() => scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior: "instant" }), []);

  // Whoever stands at the end stays there when messages arrive.
  useLayoutEffect(() => {
    if (isFollowingEnd.current && rows.length > 0) pinToEnd();
  }, [rows, pinToEnd]);

  const stopFollowing = () => {
    if (isFollowingEnd.current) props.onLeaveEnd();
    isFollowingEnd.current = false;
  };

  const findMiddleIndex = (handle: VirtualizerHandle) => handle.findItemIndex(handle.scrollOffset + handle.viewportSize / 2);

  const updateScrollState = () => {
    const element = scroller.current;
    // Everything loaded may be deleted.
    if (rows.length === 0 && settled && props.hasMoreBefore && !props.olderFailed) props.onLoadOlder();
    if (!element || !list.current || rows.length === 0) return;
    const offset = element.scrollTop;
    const distanceToEnd = element.scrollHeight - offset - element.clientHeight;
    const isAtEnd = distanceToEnd <= END_THRESHOLD_PX && !props.hasMoreAfter;
    if (isAtEnd) isFollowingEnd.current = !isScrollingUp.current;
    // A view that has grown or shrunk moves by itself: a keyboard that opens, a reply above the text.
    else if (offset < lastOffset.current - 1 && element.clientHeight === lastHeight.current) stopFollowing();
    lastOffset.current = offset;
    lastHeight.current = element.clientHeight;
    const middleRow = rows[findMiddleIndex(list.current)];
    if (settled) props.onPositionChange(isFollowingEnd.current || middleRow?.kind !== "message" ? null : middleRow.message.id);
    if (isAtEnd !== atEnd) {
      setAtEnd(isAtEnd);
      props.onAtEnd(isAtEnd);
    }
    // Before it stands where it was opened, it stands at the top, and everything would seem to be needed.
    if (!settled) return;
    if (offset < PREFETCH_DISTANCE_PX && props.hasMoreBefore && !props.olderFailed) props.onLoadOlder();
    if (distanceToEnd < PREFETCH_DISTANCE_PX && props.hasMoreAfter && !props.newerFailed) props.onLoadNewer();
  };

  const isInNewerHalf = () => list.current !== null && findMiddleIndex(list.current) > rows.length / 2;

  // Rows that come or go above while it scrolls make the list lose its place: it then holds on to one end, whatever is measured meanwhile.
  const scrollIdle = useScrollIdle(() => {
    if (list.current) props.onTrim(isInNewerHalf() ? "newest" : "oldest");
  });

  // After every change of rows the view may stand near an end without a scroll.
  const onRowsChanged = useEffectEvent(() => {
    updateScrollState();
    scrollIdle.schedule();
    if (isFollowingEnd.current && rows.length > MAX_ROWS_FOLLOWING) props.onTrim("newest");
    // What goes below moves nothing, even during a scroll.
    else if (rows.length > MAX_ROWS_SCROLLING_UP && list.current && !isInNewerHalf()) props.onTrim("oldest");
  });
  useEffect(() => onRowsChanged(), [rows, settled, props.hasMoreBefore, props.hasMoreAfter]);

  const onResize = () => {
    if (isFollowingEnd.current) pinToEnd();
    updateScrollState();
  };
  // What opens below makes the view smaller: who stood at the end stands there still.
  const onViewportResize = useEffectEvent(onResize);
  useEffect(() => {
    const observer = new ResizeObserver(() => onViewportResize());
    observer.observe(scroller.current!);
    return () => observer.disconnect();
  }, []);

  const restTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const onRest = useRef(updateScrollState);
  useEffect(() => {
    onRest.current = updateScrollState;
  });
  const scheduleRest = () => {
    clearTimeout(restTimer.current);
    restTimer.current = setTimeout(() => {
      isScrollingUp.current = false;
      onRest.current();
    }, SCROLL_REST_MS);
  };
  useEffect(() => () => clearTimeout(restTimer.current), []);

  return {
    scroller,
    list,
    settled,
    /** The day that is in view, while it scrolls. */
    day,
    /** The message that one has just come to. */
    highlighted,
    onResize,
    onScroll() {
      scrollIdle.onScroll();
      if (isScrollingUp.current) scheduleRest();
      updateScrollState();
      const handle = list.current;
      if (!handle || !settled) return;
      const datetime = isFollowingEnd.current ? null : rowDatetime(rows[handle.findItemIndex(handle.scrollOffset)]);
      setDay(datetime === null ? null : dayLabel(datetime));
    },
    onScrollEnd() {
      clearTimeout(restTimer.current);
      isScrollingUp.current = false;
      updateScrollState();
    },
    /** The reader goes up. */
    onUserScrollUp() {
      if ((scroller.current?.scrollTop ?? 0) <= 0) return;
      isScrollingUp.current = true;
      stopFollowing();
      scheduleRest();
    },
  };
}
