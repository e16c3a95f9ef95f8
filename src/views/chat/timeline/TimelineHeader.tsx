import { useServiceTime } from "../../../client/client.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/chat.ts";
import { daysAgo, formatLongDay } from "../../../lib/time.ts";
import { NO_TIME } from "../../../lib/unknown-members.ts";
import { Button } from "../../../ui/Button.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { useChat } from "../chat-context.ts";

/** Pixels; constant in every state, because the virtual list starts below the header. */
export const HEADER_HEIGHT_PX = 72;

interface TimelineHeaderProps {
  /** Shown above the oldest message of the chat. */
  beginning: string;
  hasMore: boolean;
  hasFailed: boolean;
  onRetry(): void;
}

/** Renders the space above the oldest message: a loading placeholder, a load error or the start of the chat. */
export function TimelineHeader({ beginning, hasMore, hasFailed, onRetry }: TimelineHeaderProps) {
  return (
    <div style={{ height: HEADER_HEIGHT_PX }} className="flex shrink-0 items-end gap-3 overflow-hidden px-5 pb-3 max-tablet:px-3.5">
      {hasMore && hasFailed && <PageFailed text={t("olderFailed")} onRetry={onRetry} />}
      {hasMore && !hasFailed && (
        <>
          <Skeleton className="size-9 shrink-0 rounded-full" />
          <span className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-3.5 w-24" />
            <Skeleton className="h-3.5 w-80 max-w-full" />
          </span>
        </>
      )}
      {!hasMore && <p className="line-clamp-2 text-text-3">{beginning}</p>}
    </div>
  );
}

/** Renders the space below the newest loaded message, with a retry if newer messages failed to load. */
export function TimelineFooter({ hasFailed, onRetry }: Pick<TimelineHeaderProps, "hasFailed" | "onRetry">) {
  if (!hasFailed) return <div className="h-2 shrink-0" />;
  return <PageFailed text={t("newerFailed")} className="shrink-0 px-5 py-3 max-tablet:px-3.5" onRetry={onRetry} />;
}

function PageFailed({ text, className, onRetry }: { text: string; className?: string; onRetry(): void }) {
  return (
    <p role="alert" className={classNames("flex items-center gap-3 text-text-2", className)}>
      {text}
      <Button size="sm" onClick={onRetry}>
        {t("retry")}
      </Button>
    </p>
  );
}

/** Formats a day as "Today", "Yesterday" or "Tuesday, 17 November". */
export function dayLabel(at: string, now: number): string {
  if (at === NO_TIME) return t("unknownDay");
  const days = daysAgo(at, now);
  return days === 0 ? t("today") : days === 1 ? t("yesterday") : formatLongDay(at, now);
}

/** Heads a day's messages and opens the day picker, if the service can find a day. */
export function DayHeader({ at }: { at: string }) {
  const { user } = useChat();
  const day = dayLabel(at, useServiceTime());
  return (
    <div className="flex items-center gap-2 px-5 pt-4 pb-2 max-tablet:px-3.5">
      <Divider className="bg-line" />
      <h2 className="-my-1 text-xs text-text-3">
        {user?.hasMessageActions ? (
          <button
            type="button"
            aria-label={t("pickDay", { day })}
            data-tooltip={t("jumpToDate")}
            onClick={() => user.actions.openDays(at)}
            className="min-h-6 rounded-full px-2 hover:bg-hover hover:text-text-2"
          >
            {day}
          </button>
        ) : (
          <span className="flex min-h-6 items-center px-2">{day}</span>
        )}
      </h2>
      <Divider className="bg-line" />
    </div>
  );
}

/** Separates read from unread messages. */
export function UnreadLine({ isBelowDay }: { /** True right below a day header, which removes the top spacing. */ isBelowDay: boolean }) {
  return (
    <div className={classNames("flex items-center gap-3 px-5 pb-2 max-tablet:px-3.5", !isBelowDay && "pt-3")}>
      <Divider className="bg-accent/60" />
      <span className="text-xs font-medium text-accent-text">
        <span aria-hidden>{t("unread")}</span>
        <span className="sr-only">{t("unreadLine")}</span>
      </span>
      <Divider className="bg-accent/60" />
    </div>
  );
}

function Divider({ className }: { className: string }) {
  return <span aria-hidden className={`h-px flex-1 ${className}`} />;
}
