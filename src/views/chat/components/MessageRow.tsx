import { memo, type ReactNode } from "react";
import type { Message } from "../../../../contract/records.ts";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/chat.ts";
import { formatClock, formatFull } from "../../../lib/time.ts";
import { Attachments } from "../../../parts/attachments/Attachments.tsx";
import { MessageText } from "../../../parts/MessageText.tsx";
import type { Person } from "../../../queries/members/use-people.ts";
import { Avatar } from "../../../ui/Avatar.tsx";

interface FrameProps {
  accountId: number;
  author: Person | undefined;
  at: string | number;
  grouped: boolean;
  highlighted?: boolean;
  faint?: boolean;
  children: ReactNode;
}

/** Where author, time and words of a message stand; a message under the same author leaves the author to the first. */
export function MessageFrame({ accountId, author, at, grouped, highlighted = false, faint = false, children }: FrameProps) {
  const name = author?.name ?? t("formerMember");
  return (
    <div
      className={classes(
        "group relative mx-2.5 flex gap-3 rounded-md px-2.5 pb-1 transition-colors duration-300 hover:bg-hover/60 max-tablet:mx-0 max-tablet:px-3.5",
        grouped ? "pt-1" : "pt-2",
        highlighted && "bg-accent-soft/60",
      )}
    >
      {grouped ? (
        <span className="w-9 shrink-0 pt-0.5 text-right text-xs whitespace-nowrap text-text-3 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 group-active:opacity-100">
          <span className="sr-only">{t("author", { name })} </span>
          <Time at={at} />
        </span>
      ) : (
        <Avatar id={accountId} name={name} url={author?.avatarUrl} size="lg" className="mt-0.5" />
      )}
      <div className={classes("min-w-0 flex-1", faint && "text-text-2 transition-colors")}>
        {!grouped && (
          <div className="flex items-baseline gap-2">
            <bdi className="min-w-0 truncate font-semibold">{name}</bdi>
            <span className={classes("shrink-0 text-xs", highlighted ? "text-text-2" : "text-text-3")}>
              <Time at={at} />
            </span>
          </div>
        )}
        {children}
      </div>
    </div>
  );
}

function Time({ at }: { at: string | number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={formatFull(at)}>
      {formatClock(at)}
    </time>
  );
}

interface Props {
  message: Message;
  author: Person | undefined;
  grouped: boolean;
  highlighted: boolean;
}

export const MessageRow = memo(function MessageRow({ message, author, grouped, highlighted }: Props) {
  return (
    <MessageFrame accountId={message.account_id} author={author} at={message.datetime} grouped={grouped} highlighted={highlighted}>
      {(message.body !== "" || message.attachments.length === 0) && <MessageText body={message.body} />}
      {message.edited && <span className="text-xs text-text-3">({t("edited")})</span>}
      <Attachments attachments={message.attachments} projectId={message.chat_id} className="mt-1.5 mb-1" />
    </MessageFrame>
  );
});
