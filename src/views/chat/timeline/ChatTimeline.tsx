import { ArrowDown, CornerDownLeft, MessageSquare } from "lucide-react";
import { Virtualizer } from "virtua";
import { t } from "../../../lib/texts/chat.ts";
import type { Person } from "../../../queries/members.ts";
import type { History } from "../../../queries/messages/history.ts";
import type { useMessageHistory } from "../../../queries/messages/use-message-history.ts";
import type { Edit } from "../../../sync/drafts/use-editing.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { LoadFailed, TimelineSkeleton } from "../ChatSkeleton.tsx";
import type { ChatLocation } from "./initial-position.ts";
import { indexOfMessage, isVisibleRow, type Row } from "./rows.ts";
import { HEADER_HEIGHT_PX, TimelineFooter, TimelineHeader } from "./TimelineHeader.tsx";
import { TimelineRow } from "./TimelineRow.tsx";
import { useRowKeys } from "./use-row-keys.ts";
import { usePausedHover } from "./use-scroll-idle.ts";
import { type TimelineScrollProps, useTimelineScroll } from "./use-timeline-scroll.ts";
import { useVirtualizerShift } from "./use-virtualizer-shift.ts";

/** Pixels of rows rendered beyond the viewport on both sides, so that fast scrolling shows no blanks. */
const BUFFER_PX = 1_000;
const UPWARD_KEYS: ReadonlySet<string> = new Set(["PageUp", "ArrowUp"]);
const SCROLL_KEYS: ReadonlySet<string> = new Set([...UPWARD_KEYS, "PageDown", "ArrowDown"]);

type ProvidedProps = "scrollTarget" | "hasMoreBefore" | "hasMoreAfter" | "olderFailed" | "newerFailed" | "onLoadOlder" | "onLoadNewer" | "onTrim";
interface ChatTimelineProps extends Omit<TimelineProps, ProvidedProps> {
  location: ChatLocation;
  loadedWindow: ReturnType<typeof useMessageHistory>;
  history: History | undefined;
}

/** Renders the messages, or the loading, error or empty state in their place. */
export function ChatTimeline({ location, loadedWindow, history, ...rest }: ChatTimelineProps) {
  if (loadedWindow.error) return <LoadFailed error={loadedWindow.error} onRetry={() => void loadedWindow.reload()} />;
  if (!history) return <TimelineSkeleton className="min-h-0 flex-1" />;
  if (!history.hasMoreBefore && !rest.rows.some(isVisibleRow))
    return (
      <div className="flex flex-1 items-center justify-center">
        <EmptyState icon={<MessageSquare size={22} aria-hidden />} title={t("emptyTitle")}>
          {t("emptyHelp", { project: rest.projectName })}
        </EmptyState>
      </div>
    );
  return (
    <Timeline
      key={location.anchor}
      {...rest}
      scrollTarget={location.scrollTarget}
      hasMoreBefore={history.hasMoreBefore}
      hasMoreAfter={history.hasMoreAfter}
      olderFailed={loadedWindow.olderFailed}
      newerFailed={loadedWindow.newerFailed}
      onLoadOlder={loadedWindow.loadOlder}
      onLoadNewer={loadedWindow.loadNewer}
      onTrim={loadedWindow.trim}
    />
  );
}

interface TimelineProps extends TimelineScrollProps {
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

function Timeline(props: TimelineProps) {
  const { rows, shift } = useVirtualizerShift(props.rows);
  const { scroller, list, settled, day, highlighted, onResize, onScroll, onScrollEnd, showRow, releaseRow, onUserScrollUp } = useTimelineScroll(rows, props);
  const rowKeys = useRowKeys({ rows, scroller, showRow, releaseRow, onUserScrollUp, onEscape: props.onEscape });
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
          releaseRow();
          if (event.deltaY < 0) onUserScrollUp();
        }}
        onPointerDown={releaseRow}
        onPointerMove={hover.onPointerMove}
        onTouchMove={onUserScrollUp}
        onKeyDown={(event) => {
          if (SCROLL_KEYS.has(event.key)) hover.pause(event);
          releaseRow();
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

/** Scrolls to the end of the chat and shows the number of new messages. */
export function JumpToLatest({ unreadCount, onJump }: { unreadCount: number; onJump(): void }) {
  const label = unreadCount === 0 ? t("jump") : unreadCount > 99 ? t("jumpMany") : t("jumpCount", { count: unreadCount });
  return (
    <button
      type="button"
      onClick={onJump}
      className="flex h-8 items-center gap-1.5 rounded-full bg-raised px-3 text-sm font-medium text-text shadow-float hover:bg-hover"
    >
      <ArrowDown size={16} aria-hidden className={unreadCount > 0 ? "text-accent-text" : "text-text-2"} />
      {label}
    </button>
  );
}

/** Returns the reader to the previous position after a jump. */
export function BackChip({ onBack }: { onBack(): void }) {
  return (
    <button
      type="button"
      onClick={onBack}
      className="flex h-8 items-center gap-1.5 rounded-full bg-raised px-3 text-sm font-medium text-text shadow-float hover:bg-hover"
    >
      <CornerDownLeft size={16} aria-hidden className="text-text-2" />
      {t("back")}
    </button>
  );
}
