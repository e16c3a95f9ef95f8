import { lazy, memo, Suspense, useMemo, useState, type HTMLAttributes, type ReactNode } from "react";
import type { Message } from "../../../../contract/records.ts";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/chat.ts";
import { formatClock, formatFull } from "../../../lib/time.ts";
import { Attachments } from "../../../parts/attachments/Attachments.tsx";
import { MessageText } from "../../../parts/message-text/MessageText.tsx";
import { voiceOf } from "../../../parts/voice/voice-track.ts";
import { VoiceNote } from "../../../parts/voice/VoiceNote.tsx";
import type { Person } from "../../../queries/members/use-people.ts";
import { Avatar } from "../../../ui/Avatar.tsx";
import { spotOf } from "../../../ui/Floating.tsx";
import { rowKey } from "../model/rows.ts";
import { useChatRoom } from "./chat-room.ts";
import { CommentCard } from "./CommentCard.tsx";
import { QuoteLine } from "./QuoteLine.tsx";
import { Reactions } from "./Reactions.tsx";
import { ReadMarks } from "./ReadMarks.tsx";
import type { Edit } from "../../../queries/drafts/edits.ts";
import { useSeek } from "./use-seek.ts";
import { useLongPress } from "../../../ui/use-long-press.ts";
import { Words } from "./Words.tsx";

const MessageBar = lazy(async () => ({ default: (await import("./MessageBar.tsx")).MessageBar }));
const EditForm = lazy(async () => ({ default: (await import("./EditForm.tsx")).EditForm }));

interface FrameProps {
  accountId: number;
  author: Person | undefined;
  at: string | number;
  grouped: boolean;
  highlighted?: boolean;
  faint?: boolean;
  /** What makes the row more than words: its keys, its menu. */
  row?: HTMLAttributes<HTMLDivElement> & { "data-message"?: number };
  children: ReactNode;
}

/** Where author, time and words of a message stand; a message under the same author leaves the author to the first. */
export function MessageFrame({ accountId, author, at, grouped, highlighted = false, faint = false, row, children }: FrameProps) {
  const name = author?.name ?? t("formerMember");
  return (
    <div
      {...row}
      className={classes(
        "group relative mx-2.5 flex gap-3 rounded-md px-2.5 pb-1 transition-colors duration-300 hover:bg-hover/60 focus-visible:-outline-offset-2 max-tablet:mx-0 max-tablet:px-3.5",
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
  /** The one message of the timeline that Tab leads to. */
  current: boolean;
  edit: Edit | undefined;
  readers: readonly number[] | undefined;
}

/** What has a menu of the browser's own worth having. */
const OWN_MENU = "a[href], img, video, textarea, input";

export const MessageRow = memo(function MessageRow({ message, author, grouped, highlighted, current, edit, readers }: Props) {
  const { act, accountId, nameOf } = useChatRoom();
  const onSeek = useSeek(message);
  const [near, setNear] = useState(false);
  const press = useLongPress((at) => act.openMenu(message, spotOf(at)));
  const editing = edit !== undefined && !edit.saving;
  const words = `words-${message.id}`;
  const voice = voiceOf(message);
  const key = rowKey(message.account_id, message.client_id, message.id);
  const { edited: changed, edited_at: changedAt = null } = message;
  const edited = useMemo(() => (changed ? { at: changedAt } : undefined), [changed, changedAt]);
  const text = <MessageText body={message.body} mentions={message.mentions} nameOf={nameOf} readerId={accountId} onSeek={onSeek} edited={edited} />;

  const row: FrameProps["row"] = {
    role: "article",
    tabIndex: current ? 0 : -1,
    "data-message": message.id,
    "aria-label": t("messageOf", { name: author?.name ?? t("formerMember"), time: formatClock(message.datetime) }),
    "aria-describedby": words,
    onPointerEnter: ({ pointerType }) => pointerType === "mouse" && setNear(true),
    onPointerLeave: () => setNear(false),
    onFocus: ({ target }) => target.matches(":focus-visible") && setNear(true),
    onBlur: ({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setNear(false),
    onContextMenu(event) {
      const own = event.shiftKey || (event.target as Element).closest(OWN_MENU) !== null || getSelection()?.isCollapsed === false;
      if (own || editing) return;
      event.preventDefault();
      // By key it comes without a pointer: then it stands at the row.
      act.openMenu(message, event.button === 2 ? spotOf(event) : spotOf(event.currentTarget));
    },
    ...press,
  };
  return (
    <MessageFrame
      accountId={message.account_id}
      author={author}
      at={message.datetime}
      grouped={grouped}
      highlighted={highlighted}
      faint={edit?.saving}
      row={row}
    >
      {message.parent && <QuoteLine from={message.id} quote={message.parent} />}
      {editing ? (
        <Suspense fallback={text}>
          <EditForm message={message} edit={edit} />
        </Suspense>
      ) : (
        <Words id={words} messageKey={key} body={message.comment ? "" : message.body}>
          {message.comment ? <CommentCard comment={message.comment} /> : (message.body !== "" || message.attachments.length === 0 || message.edited) && text}
        </Words>
      )}
      {voice ? (
        <VoiceNote message={message} attachment={voice} name={author?.name ?? t("formerMember")} />
      ) : (
        <Attachments attachments={message.attachments} projectId={message.chat_id} className="mt-1.5 mb-1" />
      )}
      <Reactions message={message} />
      {readers && <ReadMarks readers={readers} />}
      {near && !editing && !message.deleted && (
        <Suspense fallback={null}>
          <MessageBar message={message} />
        </Suspense>
      )}
    </MessageFrame>
  );
});
