import { classes } from "../../../lib/classes.ts";
import { now as serviceNow } from "../../../lib/clock.ts";
import { t } from "../../../lib/messages/chat.ts";
import { daysAgo, formatDay } from "../../../lib/time.ts";
import { useChat } from "./chat-room.ts";

/** Formats a day as "Today", "Yesterday" or "Tuesday, 17 November". */
export function dayLabel(at: string, now = serviceNow()): string {
  const days = daysAgo(at, now);
  return days === 0 ? t("today") : days === 1 ? t("yesterday") : formatDay(at, now);
}

/** Heads a day's messages and opens the day picker. */
export function DayHeader({ at }: { at: string }) {
  const { actions } = useChat();
  const day = dayLabel(at);
  return (
    <div className="flex items-center gap-2 px-5 pt-4 pb-2 max-tablet:px-3.5">
      <Divider className="bg-line" />
      <h2 className="-my-1 text-xs text-text-3">
        <button
          type="button"
          aria-label={t("pickDay", { day })}
          title={t("jumpToDate")}
          onClick={() => actions.openDays(at)}
          className="min-h-6 rounded-full px-2 hover:bg-hover hover:text-text-2"
        >
          {day}
        </button>
      </h2>
      <Divider className="bg-line" />
    </div>
  );
}

/** Separates read from unread messages. */
export function UnreadLine({ first }: { /** True right below a day header, which removes the top spacing. */ first: boolean }) {
  return (
    <div className={classes("flex items-center gap-3 px-5 pb-2 max-tablet:px-3.5", !first && "pt-3")}>
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
