import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { t } from "../../../lib/messages/chat.ts";
import type { Person } from "../../../queries/members/use-people.ts";
import { indexOfMessage, momentOf, nearestMessage, type Row } from "../model/rows.ts";
import type { Place } from "../model/opening.ts";
import { dayLabel } from "./Separators.tsx";
import { HEAD_HEIGHT, TimelineFoot, TimelineHead } from "./TimelineHead.tsx";
import { TimelineRow } from "./TimelineRow.tsx";
import { useCalm } from "./use-calm.ts";
import type { Edit } from "../model/edits.ts";
import { useRowKeys } from "./use-row-keys.ts";
import { useStagedRows } from "./use-staged-rows.ts";
import { TimelineSkeleton } from "./ChatSkeleton.tsx";

interface Props {
  projectName: string;
  rows: readonly Row[];
  /** Where to stand; a new object goes there again. */
  place: Place;
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
  olderFailed: boolean;
  newerFailed: boolean;
  /** Messages wait because the service is not reached. */
  delayed: boolean;
  /** Messages that are being changed. */
  edits: ReadonlyMap<number, Edit>;
  /** Who has read up to which message. */
  readers: ReadonlyMap<number, readonly number[]>;
  personOf(accountId: number): Person | undefined;
  onOlder(): void;
  onNewer(): void;
  /** The list is longer than it may be: which end is far from the reader. */
  onTrim(keep: "newest" | "oldest"): void;
  onAtEnd(atEnd: boolean): void;
  /** The reader goes away from the end; what comes in may also put it out of reach for a moment. */
  onLeft(): void;
  /** The keyboard leaves the timeline. */
  onEscape(): void;
  onRetry(clientId: string): void;
  onDiscard(clientId: string): void;
}

/** Nearer to the end than this counts as being there, in pixels. */
const END_SLACK = 40;
/** Pages are asked for this far before their end comes into view, in pixels: a fast fling covers about 3,000 while one loads. */
const PAGE_AHEAD = 2_500;
/** Rows drawn beyond the view on both sides, in pixels, so that fast scrolling shows no blanks. */
const BUFFER = 1_000;
/** Space left above the unread line, in pixels. */
const UNREAD_OFFSET = 72;
const UPWARD: ReadonlySet<string> = new Set(["PageUp", "ArrowUp"]);
const HIGHLIGHT_MS = 2_500;
const DAY_SHOWN_MS = 1_200;

export function Timeline(props: Props) {
  const { rows, shift } = useStagedRows(props.rows);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const following = useRef(props.place.at === "end");
  /** On the way up by wheel, key or finger: what is measured meanwhile must not pull the view back to the end. */
  const leaving = useRef(false);
  const lastOffset = useRef(0);
  const [settled, setSettled] = useState(false);
  /** null: not told yet; another stretch may have stood elsewhere before. */
  const [atEnd, setAtEnd] = useState<boolean | null>(null);
  const [day, setDay] = useState<string | null>(null);
  const [highlighted, setHighlighted] = useState<number | null>(null);

  const toEnd = useCallback((count: number) => list.current?.scrollToIndex(count - 1, { align: "end", offset: HEAD_HEIGHT }), []);

  const stand = useEffectEvent((place: Place) => {
    const unread = place.at === "unread" ? rows.findIndex(({ kind }) => kind === "unread") : -1;
    following.current = place.at === "end" || (place.at === "unread" && unread < 0);
    if (place.at === "message") {
      const exact = indexOfMessage(rows, place.id);
      list.current?.scrollToIndex(exact >= 0 ? exact : nearestMessage(rows, place.id), { align: "center" });
      setHighlighted(exact >= 0 ? place.id : null);
    } else if (unread >= 0) list.current?.scrollToIndex(unread, { align: "start", offset: -UNREAD_OFFSET });
    else toEnd(rows.length);
  });

  const isEmpty = rows.length === 0;
  useLayoutEffect(() => {
    if (!isEmpty) stand(props.place);
  }, [props.place, isEmpty]);

  // The list measures what it draws; until it stands still its shape shows instead.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), 120);
    return () => clearTimeout(timer);
  }, []);

  useEffect(() => {
    if (highlighted === null) return;
    const timer = setTimeout(() => setHighlighted(null), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [highlighted]);

  // Not by the list's own way, which goes on pulling until nothing was measured for 150 ms, whatever the reader does meanwhile.
  const pin = useCallback(() => scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior: "instant" }), []);

  // Whoever stands at the end stays there when messages arrive.
  useLayoutEffect(() => {
    if (following.current && rows.length > 0) pin();
  }, [rows, pin]);

  useEffect(() => {
    if (day === null) return;
    const timer = setTimeout(() => setDay(null), DAY_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [day]);

  const letGo = () => {
    if (following.current) props.onLeft();
    following.current = false;
  };

  const look = () => {
    const element = scroller.current;
    const handle = list.current;
    if (!element || !handle || rows.length === 0) return;
    const offset = element.scrollTop;
    const below = element.scrollHeight - offset - element.clientHeight;
    const isAtEnd = below <= END_SLACK && !props.hasMoreAfter;
    if (isAtEnd) following.current = !leaving.current;
    else if (offset < lastOffset.current - 1) letGo();
    lastOffset.current = offset;
    if (isAtEnd !== atEnd) {
      setAtEnd(isAtEnd);
      props.onAtEnd(isAtEnd);
    }
    // Before it stands where it was opened, it stands at the top, and everything would seem to be needed.
    if (!settled) return;
    if (offset < PAGE_AHEAD && props.hasMoreBefore && !props.olderFailed) props.onOlder();
    if (below < PAGE_AHEAD && props.hasMoreAfter && !props.newerFailed) props.onNewer();
  };

  // Rows that come or go while it scrolls make the list lose its place: it then holds on to one end, whatever is measured meanwhile.
  const calm = useCalm(() => {
    const handle = list.current;
    if (!handle) return;
    const middle = handle.findItemIndex(handle.scrollOffset + handle.viewportSize / 2);
    props.onTrim(middle > rows.length / 2 ? "newest" : "oldest");
  });

  // After every change of rows the view may stand near an end without a scroll.
  const rowsChanged = useEffectEvent(() => {
    look();
    calm.wanted();
  });
  useEffect(() => rowsChanged(), [rows, settled, props.hasMoreBefore, props.hasMoreAfter]);

  const onScroll = () => {
    calm.moved();
    look();
    const handle = list.current;
    if (!handle || !settled) return;
    const moment = following.current ? null : momentOf(rows[handle.findItemIndex(handle.scrollOffset)]);
    setDay(moment === null ? null : dayLabel(moment));
  };

  const leave = () => {
    if ((scroller.current?.scrollTop ?? 0) <= 0) return;
    leaving.current = true;
    letGo();
  };
  const onScrollEnd = () => {
    leaving.current = false;
    look();
  };

  const keys = useRowKeys({ rows, scroller, list, onLeave: leave, onEscape: props.onEscape });
  const held = [...props.edits.keys()].map((id) => indexOfMessage(rows, id)).concat(keys.held ?? -1);

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

  return (
    <div className="relative min-h-0 flex-1">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it listens to its own scrolling */}
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={t("messagesOf", { project: props.projectName })}
        tabIndex={0}
        onWheel={({ deltaY }) => deltaY < 0 && leave()}
        onTouchMove={leave}
        onKeyDown={(event) => !keys.onKeyDown(event) && UPWARD.has(event.key) && leave()}
        onFocus={keys.onFocus}
        onBlur={keys.onBlur}
        onScrollEnd={onScrollEnd}
        className="flex h-full flex-col overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        <div className="grow" />
        <TimelineHead projectName={props.projectName} more={props.hasMoreBefore} failed={props.olderFailed} onRetry={props.onOlder} />
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          data={rows}
          shift={shift}
          startMargin={HEAD_HEIGHT}
          bufferSize={BUFFER}
          keepMounted={held.filter((index) => index >= 0)}
          as="ul"
          item="li"
          onScroll={onScroll}
          onResize={onResize}
        >
          {(row) => (
            <TimelineRow
              key={row.key}
              row={row}
              highlighted={row.kind === "message" && row.message.id === highlighted}
              delayed={props.delayed}
              current={row.kind === "message" && row.message.id === keys.current}
              edit={row.kind === "message" ? props.edits.get(row.message.id) : undefined}
              readers={row.kind === "message" ? props.readers.get(row.message.id) : undefined}
              personOf={props.personOf}
              onRetry={props.onRetry}
              onDiscard={props.onDiscard}
            />
          )}
        </Virtualizer>
        <TimelineFoot failed={props.hasMoreAfter && props.newerFailed} onRetry={props.onNewer} />
      </div>
      {!settled && <TimelineSkeleton className="absolute inset-0 bg-surface" />}
      {day !== null && (
        <div aria-hidden className="pointer-events-none absolute inset-x-0 top-2 flex justify-center">
          <span className="rounded-full bg-raised px-3 py-1 text-xs text-text-2 shadow-float">{day}</span>
        </div>
      )}
    </div>
  );
}
