/** Where the timeline stands: at the place it was opened at, at the end while messages come in, or where its reader has gone. */
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Place } from "../model/opening.ts";
import { indexOfMessage, momentOf, nearestMessage, type Row } from "../model/rows.ts";
import { dayLabel } from "./Separators.tsx";
import { HEAD_HEIGHT } from "./TimelineHead.tsx";
import { useCalm } from "./use-calm.ts";
import { usePassing } from "./use-passing.ts";

export interface ScrollWishes {
  /** Where to stand; a new object goes there again. */
  place: Place;
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
  olderFailed: boolean;
  newerFailed: boolean;
  onOlder(): void;
  onNewer(): void;
  /** The list is longer than it may be: which end is far from the reader. */
  onTrim(keep: "newest" | "oldest"): void;
  onAtEnd(atEnd: boolean): void;
  /** The message in the middle of the view; null at the end of the chat. */
  onStand(messageId: number | null): void;
  /** The reader goes away from the end; what comes in may also put it out of reach for a moment. */
  onLeft(): void;
}

/** Nearer to the end than this counts as being there, in pixels. */
const END_SLACK = 40;
/** Pages are asked for this far before their end comes into view, in pixels: a fast fling covers about 3,000 while one loads. */
const PAGE_AHEAD = 2_500;
/** Space left above the unread line, in pixels. */
const UNREAD_OFFSET = 72;
/** Rows after which the far end is cut under a reader who stands at the end, where messages may come without a pause. */
const FOLLOWED_MOST = 2_500;
/** Rows after which it is cut below a reader who goes on upward without a pause. */
const CLIMBED_MOST = 4_000;
const HIGHLIGHT_MS = 2_500;
const DAY_SHOWN_MS = 1_200;
/** The list measures what it draws; until it stands still its shape shows instead. */
const SETTLES_MS = 120;
/** After a move that scrolled nothing, no end of scrolling is told; nor is it in every browser. */
const RESTS_MS = 200;

export function useTimelineScroll(rows: readonly Row[], wishes: ScrollWishes) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const following = useRef(wishes.place.at === "end");
  /** On the way up by wheel, key or finger: what is measured meanwhile must not pull the view back to the end. */
  const leaving = useRef(false);
  const lastOffset = useRef(0);
  const lastHeight = useRef(0);
  const [settled, setSettled] = useState(false);
  /** null: not told yet; another stretch may have stood elsewhere before. */
  const [atEnd, setAtEnd] = useState<boolean | null>(null);
  const [day, setDay] = usePassing<string>(DAY_SHOWN_MS);
  const [highlighted, setHighlighted] = usePassing<number>(HIGHLIGHT_MS);

  const stand = useEffectEvent((place: Place) => {
    const unread = place.at === "unread" ? rows.findIndex(({ kind }) => kind === "unread") : -1;
    following.current = place.at === "end" || (place.at === "unread" && unread < 0);
    if (place.at === "message") {
      const exact = indexOfMessage(rows, place.id);
      list.current?.scrollToIndex(exact >= 0 ? exact : nearestMessage(rows, place.id), { align: "center" });
      setHighlighted(exact >= 0 ? place.id : null);
    } else if (unread >= 0) list.current?.scrollToIndex(unread, { align: "start", offset: -UNREAD_OFFSET });
    else list.current?.scrollToIndex(rows.length - 1, { align: "end", offset: HEAD_HEIGHT });
  });
  const isEmpty = rows.length === 0;
  useLayoutEffect(() => {
    if (!isEmpty) stand(wishes.place);
  }, [wishes.place, isEmpty]);

  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLES_MS);
    return () => clearTimeout(timer);
  }, []);

  // Not by the list's own way, which goes on pulling until nothing was measured for 150 ms, whatever the reader does meanwhile.
  const pin = useCallback(() => scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior: "instant" }), []);

  // Whoever stands at the end stays there when messages arrive.
  useLayoutEffect(() => {
    if (following.current && rows.length > 0) pin();
  }, [rows, pin]);

  const letGo = () => {
    if (following.current) wishes.onLeft();
    following.current = false;
  };

  const indexInMiddle = (handle: VirtualizerHandle) => handle.findItemIndex(handle.scrollOffset + handle.viewportSize / 2);

  const look = () => {
    const element = scroller.current;
    // Everything loaded may be deleted.
    if (rows.length === 0 && settled && wishes.hasMoreBefore && !wishes.olderFailed) wishes.onOlder();
    if (!element || !list.current || rows.length === 0) return;
    const offset = element.scrollTop;
    const below = element.scrollHeight - offset - element.clientHeight;
    const isAtEnd = below <= END_SLACK && !wishes.hasMoreAfter;
    if (isAtEnd) following.current = !leaving.current;
    // A view that has grown or shrunk moves by itself: a keyboard that opens, a reply above the text.
    else if (offset < lastOffset.current - 1 && element.clientHeight === lastHeight.current) letGo();
    lastOffset.current = offset;
    lastHeight.current = element.clientHeight;
    const middle = rows[indexInMiddle(list.current)];
    if (settled) wishes.onStand(following.current || middle?.kind !== "message" ? null : middle.message.id);
    if (isAtEnd !== atEnd) {
      setAtEnd(isAtEnd);
      wishes.onAtEnd(isAtEnd);
    }
    // Before it stands where it was opened, it stands at the top, and everything would seem to be needed.
    if (!settled) return;
    if (offset < PAGE_AHEAD && wishes.hasMoreBefore && !wishes.olderFailed) wishes.onOlder();
    if (below < PAGE_AHEAD && wishes.hasMoreAfter && !wishes.newerFailed) wishes.onNewer();
  };

  const isInNewerHalf = () => list.current !== null && indexInMiddle(list.current) > rows.length / 2;

  // Rows that come or go above while it scrolls make the list lose its place: it then holds on to one end, whatever is measured meanwhile.
  const calm = useCalm(() => {
    if (list.current) wishes.onTrim(isInNewerHalf() ? "newest" : "oldest");
  });

  // After every change of rows the view may stand near an end without a scroll.
  const rowsChanged = useEffectEvent(() => {
    look();
    calm.wanted();
    if (following.current && rows.length > FOLLOWED_MOST) wishes.onTrim("newest");
    // What goes below moves nothing, even during a scroll.
    else if (rows.length > CLIMBED_MOST && list.current && !isInNewerHalf()) wishes.onTrim("oldest");
  });
  useEffect(() => rowsChanged(), [rows, settled, wishes.hasMoreBefore, wishes.hasMoreAfter]);

  const onResize = () => {
    if (following.current) pin();
    look();
  };
  // What opens below makes the view smaller: who stood at the end stands there still.
  const viewChanged = useEffectEvent(onResize);
  useEffect(() => {
    const observer = new ResizeObserver(() => viewChanged());
    observer.observe(scroller.current!);
    return () => observer.disconnect();
  }, []);

  const resting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const atRest = useRef(look);
  useEffect(() => {
    atRest.current = look;
  });
  const restSoon = () => {
    clearTimeout(resting.current);
    resting.current = setTimeout(() => {
      leaving.current = false;
      atRest.current();
    }, RESTS_MS);
  };
  useEffect(() => () => clearTimeout(resting.current), []);

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
      calm.moved();
      if (leaving.current) restSoon();
      look();
      const handle = list.current;
      if (!handle || !settled) return;
      const moment = following.current ? null : momentOf(rows[handle.findItemIndex(handle.scrollOffset)]);
      setDay(moment === null ? null : dayLabel(moment));
    },
    onScrollEnd() {
      clearTimeout(resting.current);
      leaving.current = false;
      look();
    },
    /** The reader goes up. */
    leave() {
      if ((scroller.current?.scrollTop ?? 0) <= 0) return;
      leaving.current = true;
      letGo();
      restSoon();
    },
  };
}
