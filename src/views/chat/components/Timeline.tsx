import { Virtualizer } from "virtua";
import { t } from "../../../lib/messages/chat.ts";
import type { Person } from "../../../queries/members/use-people.ts";
import { indexOfMessage, type Row } from "../model/rows.ts";
import { TimelineSkeleton } from "./ChatSkeleton.tsx";
import { HEADER_HEIGHT_PX, TimelineFooter, TimelineHeader } from "./TimelineHead.tsx";
import { TimelineRow } from "./TimelineRow.tsx";
import type { Edit } from "../../../queries/drafts/edits.ts";
import { usePausedHover } from "./use-paused-hover.ts";
import { useRowKeys } from "./use-row-keys.ts";
import { useVirtualizerShift } from "./use-staged-rows.ts";
import { useTimelineScroll, type TimelineScrollProps } from "./use-timeline-scroll.ts";

export interface TimelineProps extends TimelineScrollProps {
  projectName: string;
  rows: readonly Row[];
  /** True if messages are waiting because the service is unreachable. */
  delayed: boolean;
  /** Edits in progress by message id. */
  edits: ReadonlyMap<number, Edit>;
  /** Account ids by the last message that each has read. */
  readers: ReadonlyMap<number, readonly number[]>;
  personOf(accountId: number): Person | undefined;
  /** Called when Escape leaves the timeline. */
  onEscape(): void;
  onRetry(clientId: string): void;
  onDiscard(clientId: string): void;
}

/** Pixels of rows rendered beyond the viewport on both sides, so that fast scrolling shows no blanks. */
const BUFFER_PX = 1_000;
const UPWARD_KEYS: ReadonlySet<string> = new Set(["PageUp", "ArrowUp"]);
const SCROLL_KEYS: ReadonlySet<string> = new Set([...UPWARD_KEYS, "PageDown", "ArrowDown"]);

export function Timeline(props: TimelineProps) {
  const { rows, shift } = useVirtualizerShift(props.rows);
  const { scroller, list, settled, day, highlighted, onResize, onScroll, onScrollEnd, onUserScrollUp } = useTimelineScroll(rows, props);
  const rowKeys = useRowKeys({ rows, scroller, list, onScrollUp: onUserScrollUp, onEscape: props.onEscape });
  const hover = usePausedHover();
  const mountedIndexes = [...props.edits.keys()].map((id) => indexOfMessage(rows, id)).concat(rowKeys.focusedIndex ?? -1);

  return (
    <div className="relative min-h-0 flex-1">
      {/* The virtual list disables pointer events during every scroll, which loses clicks; only the wheel or a key disables them here. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it listens to its own scrolling */}
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={t("messagesOf", { project: props.projectName })}
        tabIndex={0}
        onWheel={(event) => {
          hover.pause(event);
          if (event.deltaY < 0) onUserScrollUp();
        }}
        onPointerMove={hover.onPointerMove}
        onTouchMove={onUserScrollUp}
        onKeyDown={(event) => {
          if (SCROLL_KEYS.has(event.key)) hover.pause(event);
          if (!rowKeys.onKeyDown(event) && UPWARD_KEYS.has(event.key)) onUserScrollUp();
        }}
        onFocus={rowKeys.onFocus}
        onBlur={rowKeys.onBlur}
        onScrollEnd={onScrollEnd}
        className="flex h-full flex-col overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2 [&:not([data-hover-paused])>ul]:pointer-events-auto!"
      >
        <div className="grow" />
        <TimelineHeader projectName={props.projectName} hasMore={props.hasMoreBefore} failed={props.olderFailed} onRetry={props.onLoadOlder} />
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          data={rows}
          shift={shift}
          startMargin={HEADER_HEIGHT_PX}
          bufferSize={BUFFER_PX}
          keepMounted={mountedIndexes.filter((index) => index >= 0)}
          as="ul"
          item="li"
          onScroll={onScroll}
          onResize={onResize}
        >
          {(row, index) => (
            <TimelineRow
              key={row.key}
              row={row}
              highlighted={row.kind === "message" && row.message.id === highlighted}
              delayed={props.delayed && rows[index + 1]?.kind !== "pending"}
              current={row.kind === "message" && row.message.id === rowKeys.current}
              edit={row.kind === "message" ? props.edits.get(row.message.id) : undefined}
              readers={row.kind === "message" ? props.readers.get(row.message.id) : undefined}
              personOf={props.personOf}
              onRetry={props.onRetry}
              onDiscard={props.onDiscard}
            />
          )}
        </Virtualizer>
        <TimelineFooter failed={props.hasMoreAfter && props.newerFailed} onRetry={props.onLoadNewer} />
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
