import { type ComponentProps, memo, type ReactNode, useMemo, useState } from "react";
import type { Message } from "../../../../contract/records.ts";
import { AgentMark } from "../../../components/agents/AgentBadge.tsx";
import { FavoriteStar } from "../../../components/favorites/FavoriteButton.tsx";
import { MessageText } from "../../../components/message-text/MessageText.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/chat.ts";
import { t as tFavorites } from "../../../lib/texts/favorites.ts";
import { formatDateTime, formatTime } from "../../../lib/time.ts";
import { isUnknown } from "../../../lib/unknown-members.ts";
import { accessibleName } from "../../../queries/agents/agent-accounts.ts";
import { useHasFeature } from "../../../queries/service.ts";
import type { Edit } from "../../../sync/drafts/use-editing.ts";
import { Avatar } from "../../../components/Avatar.tsx";
import { anchorRectOf } from "../../../ui/Floating.tsx";
import { useLongPress } from "../../../ui/use-long-press.ts";
import { useChat } from "../chat-context.ts";
import { rowKey } from "../timeline/rows.ts";
import { VoiceNote } from "../voice/VoiceNote.tsx";
import { Attachments } from "./Attachments.tsx";
import { CollapsibleText } from "./CollapsibleText.tsx";
import { CommentCard } from "./CommentCard.tsx";
import { EditForm } from "./EditForm.tsx";
import { PlaylistCard } from "./PlaylistCard.tsx";
import { QuoteLine } from "./QuoteLine.tsx";
import { MessageToolbar } from "./MessageMenu.tsx";
import { Reactions } from "./Reactions.tsx";
import { getVoiceAttachment } from "./tracks.ts";
import { useTimeLinks } from "./use-time-links.ts";

/** Marks a favorite in the margin, so that it moves nothing. */
const FavoriteMark = () => (
  <span role="img" aria-label={tFavorites("isFavorite")} className="absolute top-3.5 left-0 text-accent-text">
    <FavoriteStar isFavorite size={10} />
  </span>
);

/** Elements whose native context menu is useful. */
const NATIVE_MENU_TARGETS = "a[href], img, video, textarea, input";

/** Readers shown by their avatars; the others are counted. */
const MAX_AVATARS = 5;

interface MessageRowProps {
  message: Message;
  isGrouped: boolean;
  isHighlighted: boolean;
  /** True for the one message in the timeline's tab order. */
  isCurrent: boolean;
  edit: Edit | undefined;
  readers: readonly number[] | undefined;
  /** True while the menu or the emoji picker of this message is open. */
  isOverlayOpen: boolean;
  /** The message with the audio to which the times in this one refer. */
  timeSource: Message | undefined;
}

export const MessageRow = memo(function MessageRow({
  message,
  isGrouped,
  isHighlighted,
  isCurrent,
  edit,
  readers,
  isOverlayOpen,
  timeSource,
}: MessageRowProps) {
  const { user, nameOf, agentIds } = useChat();
  const name = accessibleName(nameOf(message.account_id), agentIds.has(message.account_id));
  const at = isUnknown(message, "datetime") ? null : message.datetime;
  const hasPlaylists = useHasFeature("playlists");
  const times = useTimeLinks(timeSource);
  const [isActive, setIsActive] = useState(false);
  const longPressHandlers = useLongPress((point) => user?.actions.openMenu(message, anchorRectOf(point)));
  const isEditing = edit !== undefined && !edit.isSaving;
  const textId = `message-text-${message.id}`;
  const voiceAttachment = getVoiceAttachment(message);
  const messageKey = rowKey(message.account_id, message.client_id, message.id);
  const { edited: isEdited, edited_at: editedAt = null } = message;
  const edited = useMemo(() => (isEdited ? { at: editedAt } : undefined), [isEdited, editedAt]);
  const text = <MessageText body={message.body} mentions={message.mentions} nameOf={nameOf} readerId={user?.accountId} times={times} edited={edited} />;

  const rowProps: Partial<FrameProps> = {
    role: "article",
    tabIndex: isCurrent ? 0 : -1,
    "data-message": message.id,
    "aria-label": t("messageOf", { name, time: at === null ? t("unknownTime") : formatTime(at) }),
    "aria-describedby": textId,
    onPointerEnter: ({ pointerType }) => pointerType === "mouse" && setIsActive(true),
    onPointerLeave: () => setIsActive(false),
    onFocus: ({ target }) => target.matches(":focus-visible") && setIsActive(true),
    onBlur: ({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setIsActive(false),
    onContextMenu(event) {
      const shouldUseNativeMenu = event.shiftKey || (event.target as Element).closest(NATIVE_MENU_TARGETS) !== null || getSelection()?.isCollapsed === false;
      if (!user || shouldUseNativeMenu || isEditing) return;
      event.preventDefault();
      // A keyboard-triggered event has no pointer position, so the menu anchors to the row.
      user.actions.openMenu(message, event.button === 2 ? anchorRectOf(event) : anchorRectOf(event.currentTarget));
    },
    ...(user && longPressHandlers),
  };
  return (
    <MessageFrame accountId={message.account_id} at={at} isGrouped={isGrouped} isHighlighted={isHighlighted} isDimmed={edit?.isSaving} {...rowProps}>
      {user?.favoriteIds?.has(message.id) && !message.deleted && <FavoriteMark />}
      {message.parent && <QuoteLine from={message.id} quote={message.parent} />}
      {isEditing ? (
        <EditForm message={message} edit={edit} />
      ) : (
        <CollapsibleText id={textId} messageKey={messageKey} body={message.comment ? "" : message.body}>
          {message.comment ? (
            <CommentCard comment={message.comment} />
          ) : message.body !== "" || message.edited ? (
            text
          ) : (
            message.attachments.length === 0 && !message.playlist && <p className="text-text-2 italic">{t("quoteEmpty")}</p>
          )}
        </CollapsibleText>
      )}
      {voiceAttachment ? (
        <VoiceNote message={message} attachment={voiceAttachment} />
      ) : (
        <Attachments attachments={message.attachments} projectId={message.chat_id} messageId={message.id} authorName={nameOf(message.account_id)} />
      )}
      {message.playlist && hasPlaylists && <PlaylistCard playlist={message.playlist} />}
      {user && <Reactions message={message} />}
      {readers && <ReadReceipts readers={readers} />}
      {user && (isActive || isOverlayOpen) && !isEditing && !message.deleted && <MessageToolbar message={message} />}
    </MessageFrame>
  );
});

interface FrameProps extends ComponentProps<"div"> {
  accountId: number;
  /** Null if unknown. */
  at: string | number | null;
  isGrouped: boolean;
  isHighlighted?: boolean;
  isDimmed?: boolean;
  "data-message"?: number;
}

/** Lays out a message's author, time and text; a grouped message omits the author. */
export function MessageFrame({ accountId, at, isGrouped, isHighlighted = false, isDimmed = false, children, ...rowProps }: FrameProps) {
  const { personOf, nameOf, agentIds } = useChat();
  const person = personOf(accountId);
  const name = nameOf(accountId);
  const isAgent = agentIds.has(accountId);
  return (
    <div
      {...rowProps}
      className={classNames(
        "group relative mx-2.5 flex gap-3 rounded-md px-2.5 pb-1 transition-colors duration-300 hover:bg-hover/60 focus-visible:-outline-offset-2 max-tablet:mx-0 max-tablet:px-3.5",
        isGrouped ? "pt-1" : "pt-2",
        isHighlighted && "bg-accent-soft/60",
      )}
    >
      {isGrouped ? (
        <span className="w-9 shrink-0 pt-0.5 text-right text-xs whitespace-nowrap text-text-3 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 group-active:opacity-100">
          <span className="sr-only">{t("author", { name: accessibleName(name, isAgent) })} </span>
          <Time at={at} />
        </span>
      ) : (
        <PersonButton accountId={accountId} isPicture className="mt-0.5 rounded-full">
          <Avatar id={accountId} name={name} url={person?.avatarUrl} initials={person?.initials} size="lg" />
        </PersonButton>
      )}
      <div className={classNames("min-w-0 flex-1", isDimmed && "text-text-2 transition-colors")}>
        {!isGrouped && (
          <div className="flex items-baseline gap-2">
            <PersonButton accountId={accountId} className="min-w-0 truncate font-semibold enabled:hover:underline">
              <bdi>{name}</bdi>
            </PersonButton>
            {isAgent && <AgentMark className="-ml-0.5" />}
            <span className={classNames("shrink-0 text-xs", isHighlighted ? "text-text-2" : "text-text-3")}>
              <Time at={at} />
            </span>
          </div>
        )}
        {children}
      </div>
    </div>
  );
}

interface PersonButtonProps {
  accountId: number;
  /** True for the picture, beside which the name is. */
  isPicture?: boolean;
  className: string;
  children: ReactNode;
}

/** Opens the card of a person. Keys open it from the message's menu, so that a row stays one stop of the Tab key. */
function PersonButton({ accountId, isPicture, className, children }: PersonButtonProps) {
  const { user, personOf } = useChat();
  if (!user || !personOf(accountId)?.account) return <span className={classNames("flex h-fit", className)}>{children}</span>;
  return (
    <button
      type="button"
      tabIndex={-1}
      // Without a name of its own: the name beside it is the same button.
      aria-hidden={isPicture}
      className={classNames("flex h-fit", className)}
      onClick={({ currentTarget }) => user.actions.openPerson(accountId, anchorRectOf(currentTarget))}
    >
      {children}
    </button>
  );
}

function Time({ at }: { at: string | number | null }) {
  if (at === null) return t("unknownTime");
  return (
    <time dateTime={new Date(at).toISOString()} title={formatDateTime(at)}>
      {formatTime(at)}
    </time>
  );
}

/** Renders the avatars of the people who have read up to this message, positioned absolutely so that the row's height stays the same. */
function ReadReceipts({ readers }: { readers: readonly number[] }) {
  const { personOf, nameOf } = useChat();
  const names = readers.map(nameOf).join(", ");
  return (
    <span role="img" aria-label={t("readBy", { names })} title={t("readBy", { names })} className="absolute right-2 -bottom-2 z-1 flex items-center">
      {readers.slice(0, MAX_AVATARS).map((id) => (
        <Avatar key={id} id={id} name={nameOf(id)} url={personOf(id)?.avatarUrl} size="dot" className="-ml-0.5 ring-2 ring-surface" />
      ))}
      {readers.length > MAX_AVATARS && <span className="tabular ml-0.5 text-[10px] leading-none text-text-2">+{readers.length - MAX_AVATARS}</span>}
    </span>
  );
}
