import { MessageSquare, Trash2 } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { Virtualizer } from "virtua";
import { authorFacts, isAllowed } from "../../../../contract/policy.ts";
import type { Message } from "../../../../contract/records.ts";
import { t } from "../../../lib/texts/chat.ts";
import type { History } from "../../../queries/messages/history.ts";
import type { Edit } from "../../../sync/drafts/use-editing.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { useChatUser } from "../chat-context.ts";
import { COLUMN_CLASSES } from "../column.ts";
import { LoadFailed, TimelineSkeleton } from "../ChatSkeleton.tsx";
import { MessageRow } from "../message/MessageRow.tsx";
import { PendingRow } from "../message/PendingRow.tsx";
import { useTimeSources } from "../message/time-sources.ts";
import { indexOfMessage, isVisibleRow, type Row } from "./rows.ts";
import { DayHeader, HEADER_HEIGHT_PX, TimelineFooter, TimelineHeader, UnreadLine } from "./TimelineHeader.tsx";
import { useRowKeys } from "./use-row-keys.ts";
import { usePausedHover } from "./use-paused-hover.ts";
import { type TimelineScrollProps, useTimelineScroll } from "./use-timeline-scroll.ts";
import { useVirtualizerShift } from "./use-virtualizer-shift.ts";
import { RENDER_AHEAD_PX } from "./virtual-list.ts";

const UPWARD_KEYS: ReadonlySet<string> = new Set(["PageUp", "ArrowUp"]);
const SCROLL_KEYS: ReadonlySet<string> = new Set([...UPWARD_KEYS, "PageDown", "ArrowDown"]);

interface ChatTimelineProps extends Omit<TimelineScrollProps, "history"> {
  history: History | undefined;
  projectId: number;
  projectName: string;
  /** Shown above the oldest message; by default that the chat begins there. */
  beginning?: string;
  /** Shown in a chat without messages. */
  emptyHelp?: string;
  /** What to do first in a chat without messages. */
  emptyActions?: ReactNode;
  rows: readonly Row[];
  /** True if messages are waiting because the service is unreachable. */
  isDelayed: boolean;
  /** Edits in progress by message id. */
  edits: ReadonlyMap<number, Edit>;
  /** Account ids by the last message that each has read. */
  readers: ReadonlyMap<number, readonly number[]>;
  /** The message whose menu or emoji picker is open. */
  openMessageId?: number | undefined;
  onEscape(): void;
}

/** Renders the messages, or the loading, error or empty state in their place. */
export function ChatTimeline(props: ChatTimelineProps) {
  const { location, loadedWindow, history } = props;
  if (loadedWindow.error) return <LoadFailed error={loadedWindow.error} onRetry={() => void loadedWindow.reload()} />;
  if (!history) return <TimelineSkeleton className="min-h-0 flex-1" />;
  if (!history.hasMoreBefore && !props.rows.some(isVisibleRow))
    return (
      <div className="flex flex-1 items-center justify-center">
        <EmptyState icon={<MessageSquare size={22} aria-hidden />} title={t("emptyTitle")} actions={props.emptyActions}>
          {props.emptyHelp ?? t("emptyHelp", { project: props.projectName })}
        </EmptyState>
      </div>
    );
  return <Timeline key={location.windowStart} {...props} history={history} />;
}

function Timeline(props: ChatTimelineProps & { history: History }) {
  const { loadedWindow, history } = props;
  const { rows, shift } = useVirtualizerShift(props.rows);
  const scroll = useTimelineScroll(rows, props);
  const { scroller, releaseRow, onUserScrollUp } = scroll;
  const rowKeys = useRowKeys({ rows, scroller, showRow: scroll.showRow, onUserScrollUp, onEscape: props.onEscape });
  const timeSources = useTimeSources(props.projectId, history);
  const hover = usePausedHover();
  const mountedIndexes = [...props.edits.keys()].map((id) => indexOfMessage(rows, id)).concat(rowKeys.focusedIndex ?? -1);

  return (
    <div className="relative min-h-0 flex-1">
      {/* The virtual list disables pointer events during every scroll, which loses clicks; a class restores them except after a wheel or key event. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the handlers only observe scrolling and delegate keys */}
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
        onScrollEnd={scroll.onScrollEnd}
        className={`${COLUMN_CLASSES} flex h-full flex-col overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2 [&:not([data-hover-paused])>ul]:pointer-events-auto!`}
      >
        <div className="grow" />
        <TimelineHeader
          beginning={props.beginning ?? t("beginning", { project: props.projectName })}
          hasMore={history.hasMoreBefore}
          hasFailed={loadedWindow.olderFailed}
          onRetry={loadedWindow.loadOlder}
        />
        <Virtualizer
          ref={scroll.list}
          scrollRef={scroller}
          data={rows}
          shift={shift}
          startMargin={HEADER_HEIGHT_PX}
          bufferSize={RENDER_AHEAD_PX}
          keepMounted={mountedIndexes.filter((index) => index >= 0)}
          as="ul"
          item="li"
          onScroll={scroll.onScroll}
          onResize={scroll.onResize}
        >
          {(row, index) => (
            <TimelineRow
              key={row.key}
              row={row}
              isHighlighted={row.kind === "message" && row.message.id === scroll.highlighted}
              isDelayed={props.isDelayed && rows[index + 1]?.kind !== "pending"}
              isCurrent={row.kind === "message" && row.message.id === rowKeys.currentId}
              edit={row.kind === "message" ? props.edits.get(row.message.id) : undefined}
              readers={row.kind === "message" ? props.readers.get(row.message.id) : undefined}
              isOverlayOpen={row.kind === "message" && row.message.id === props.openMessageId}
              timeSource={row.kind === "message" ? timeSources.get(row.message.id) : undefined}
            />
          )}
        </Virtualizer>
        <TimelineFooter hasFailed={history.hasMoreAfter && loadedWindow.newerFailed} onRetry={loadedWindow.loadNewer} />
      </div>
      {!scroll.isReady && <TimelineSkeleton className="absolute inset-0 bg-surface" />}
      {scroll.day !== null && (
        <div aria-hidden className="pointer-events-none absolute inset-x-0 top-2 flex justify-center">
          <span className="rounded-full bg-raised px-3 py-1 text-xs text-text-2 shadow-float">{scroll.day}</span>
        </div>
      )}
    </div>
  );
}

interface TimelineRowProps extends Omit<ComponentProps<typeof MessageRow>, "message" | "isGrouped"> {
  row: Row;
  isDelayed: boolean;
}

function TimelineRow({ row, isDelayed, ...rowProps }: TimelineRowProps) {
  switch (row.kind) {
    case "day":
      return row.isEmpty ? null : <DayHeader at={row.at} />;
    case "unread":
      return row.isEmpty ? null : <UnreadLine isBelowDay={row.isBelowDay} />;
    case "hidden":
    case "placeholder":
      return null;
    case "deleted":
      return <DeletedRow message={row.message} />;
    case "message":
      return <MessageRow message={row.message} isGrouped={row.isGrouped} {...rowProps} />;
    case "pending":
      return <PendingRow entry={row.entry} isGrouped={row.isGrouped} isDelayed={isDelayed} />;
  }
}

/** Replaces a deleted message for ten minutes and offers Undo to the reader who deleted it. */
function DeletedRow({ message }: { message: Message }) {
  const { actions, accountId, role, hasMessageActions } = useChatUser();
  const canRestore = hasMessageActions && isAllowed("message.restore", role, { ...authorFacts(message, accountId), isDeletedByOther: false });
  return (
    <div data-message={message.id} tabIndex={-1} className="mx-2.5 flex h-9 items-center gap-3 px-2.5 text-sm text-text-2 max-tablet:mx-0 max-tablet:px-3.5">
      <Trash2 size={15} aria-hidden className="w-9 shrink-0 text-text-3" />
      {t("deleted")}
      {canRestore && (
        <Button size="sm" onClick={() => actions.restore(message)}>
          {t("undo")}
        </Button>
      )}
    </div>
  );
}
