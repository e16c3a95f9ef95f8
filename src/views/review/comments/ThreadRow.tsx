import { CircleCheck, Paperclip, Reply as ReplyIcon } from "lucide-react";
import { memo, type KeyboardEvent } from "react";
import { useServiceTime } from "../../../client/client.ts";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/comments.ts";
import { t as tArchived } from "../../../lib/texts/archived.ts";
import { formatDateTime } from "../../../lib/time.ts";
import { AgentBadge } from "../../../components/agents/AgentBadge.tsx";
import { Avatar } from "../../../components/Avatar.tsx";
import { accessibleName, useIsAgent } from "../../../queries/agents/agent-accounts.ts";
import { Button } from "../../../ui/Button.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { ReplyForm } from "./CommentForms.tsx";
import { CommentContent, CommentMenu } from "./CommentParts.tsx";
import type { FileComments } from "./CommentsProvider.tsx";
import { formatAnchor, formatCreatedAt } from "./format.ts";
import { commentRowId } from "./row-focus.ts";
import { type CommentItem, type CommentPermissions, isResolved, type Thread } from "./threads.ts";

/** Props that all rows of the list share. */
export interface ThreadListProps extends Pick<FileComments, "projectId" | "version" | "actions" | "isUnread" | "nameOf" | "personOf"> {
  /** True if the file has a timeline. */
  isTimed: boolean;
  permissionsOf(item: CommentItem): CommentPermissions;
  onRowFocus(key: string): void;
  /** Returns whether the key was handled. */
  onKey(event: KeyboardEvent, thread: Thread): boolean;
}

interface Props {
  thread: Thread;
  isCurrent: boolean;
  isSelected: boolean;
  /** True for the one row in the tab order. */
  isTabStop: boolean;
  isReplying: boolean;
  /** True if an unsent reply has files. */
  hasDraftReply: boolean;
  edits: FileComments["edits"];
  list: ThreadListProps;
}

export const ThreadRow = memo(function ThreadRow({ thread, isCurrent, isSelected, isTabStop, isReplying, hasDraftReply, edits, list }: Props) {
  const { projectId, version, isTimed, actions, isUnread, permissionsOf, nameOf, personOf, onRowFocus, onKey } = list;
  const now = useServiceTime();
  const { key, startMs, endMs, comment, accountId } = thread;
  const { name, avatarUrl } = personOf(thread);
  const id = commentRowId(key);
  const isThreadResolved = isResolved(thread);
  const tabIndex = isTabStop ? 0 : -1;
  const permissions = permissionsOf(thread);
  const exists = comment !== null && !comment.deleted;
  const showsReply = permissions.canReply || comment?.deleted === true;
  return (
    <li className="max-w-240">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- every key of the row also has a button */}
      <article
        id={id}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- only one row is in the tab order; arrow keys reach the others
        tabIndex={tabIndex}
        aria-label={t("commentBy", {
          name: accessibleName(name, useIsAgent(accountId)),
          time: startMs === null ? t("wholeFile") : formatAnchor(startMs, endMs),
        })}
        aria-describedby={`${id}-unread ${id}-text ${id}-details`}
        aria-current={isCurrent || undefined}
        onFocus={() => onRowFocus(key)}
        onKeyDown={(event) => event.target === event.currentTarget && onKey(event, thread) && event.preventDefault()}
        className={classNames(
          "group relative grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-2.5 rounded-lg px-3 py-2.5 transition-colors focus-visible:-outline-offset-2",
          isTimed && "@min-[32rem]:grid-cols-[6.5rem_auto_minmax(0,1fr)_auto]",
          isCurrent ? "bg-accent-soft" : isSelected ? "bg-hover" : "hover:bg-hover/60",
        )}
      >
        {isTimed && <PositionLink thread={thread} tabIndex={tabIndex} actions={actions} />}
        <Avatar
          id={accountId}
          name={name}
          url={avatarUrl}
          size="sm"
          className={classNames("mt-0.5", isTimed && "@max-[32rem]:col-start-1", isThreadResolved && "opacity-60")}
        />
        <div
          className={classNames("min-w-0", isTimed ? "@max-[32rem]:col-span-2" : "@max-[32rem]:[&>p]:pr-22", isThreadResolved && !isCurrent && "text-text-2")}
        >
          <p className="flex flex-wrap items-baseline gap-x-2">
            <bdi className="min-w-0 truncate font-semibold">{name}</bdi>
            <AgentBadge accountId={accountId} />
            <span id={`${id}-details`} className="text-xs text-text-2">
              {thread.version !== version && `${t("fromVersion", { number: thread.version })} · `}
              <time dateTime={new Date(thread.createdAt).toISOString()} title={formatDateTime(thread.createdAt)}>
                {formatCreatedAt(thread.createdAt, now)}
              </time>
              {isThreadResolved && ` · ${t("resolved")}`}
            </span>
            {isUnread(thread) && <UnreadDot id={`${id}-unread`} />}
          </p>
          <div id={`${id}-text`}>
            <CommentContent item={thread} edits={edits} projectId={projectId} nameOf={nameOf} actions={actions} />
          </div>
          {thread.replies.length > 0 && (
            <ul className="mt-1.5 flex flex-col gap-1.5 border-l-2 border-line pl-3">
              {thread.replies.map((item) => (
                <ReplyRow key={item.key} item={item} tabIndex={tabIndex} edits={edits} list={list} />
              ))}
            </ul>
          )}
          {hasDraftReply && !isReplying && showsReply && (
            <Button size="sm" icon={Paperclip} className="mt-2" onClick={() => actions.startReply(thread)}>
              {t("draftReply")}
            </Button>
          )}
          {isReplying && showsReply && <ReplyForm thread={thread} name={name} projectId={projectId} actions={actions} />}
        </div>
        {exists && (
          <div
            className={classNames(
              "-my-0.5 flex items-start gap-0.5 max-tablet:-my-2 max-tablet:-mr-2",
              isTimed ? "@max-[32rem]:col-start-3 @max-[32rem]:row-start-1" : "@max-[32rem]:absolute @max-[32rem]:top-2.5 @max-[32rem]:right-3",
            )}
          >
            {permissions.canReply && (
              <IconButton
                label={t("replyTo", { name })}
                icon={ReplyIcon}
                iconSize={17}
                tabIndex={tabIndex}
                className="size-7 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 max-tablet:size-9 pointer-coarse:opacity-100"
                onClick={() => actions.startReply(thread)}
              />
            )}
            <span className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
              <CommentMenu item={thread} name={name} projectId={projectId} permissions={permissions} actions={actions} tabIndex={tabIndex} />
            </span>
            <IconButton
              label={t(isThreadResolved ? "reopen" : "resolve")}
              icon={CircleCheck}
              tooltip={permissions.canResolve ? undefined : permissions.canReply ? t("guestResolves") : tArchived("isArchived")}
              aria-pressed={isThreadResolved}
              tabIndex={tabIndex}
              disabled={!permissions.canResolve}
              className={classNames("size-7 max-tablet:size-9", isThreadResolved && "text-ok!")}
              onClick={() => actions.resolve(thread, !isThreadResolved)}
            />
          </div>
        )}
      </article>
    </li>
  );
});

/** Shows the comment's position and seeks there on click. */
function PositionLink({ thread, tabIndex, actions }: { thread: Thread; tabIndex: 0 | -1; actions: FileComments["actions"] }) {
  const { startMs, endMs } = thread;
  const cellClass = "tabular self-start text-left font-semibold whitespace-nowrap @max-[32rem]:col-span-2";
  if (startMs === null) return <span className={classNames(cellClass, "pt-px text-xs leading-6 font-normal text-text-3")}>{t("wholeFile")}</span>;
  // The label includes the visible time, so that voice control users can say it.
  const label = t("goTo", { time: formatAnchor(startMs, endMs) });
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-label={label}
      title={label}
      onClick={() => actions.open(thread, { isFromList: true })}
      className={classNames(cellClass, "-mx-1 min-h-6 w-fit rounded-sm px-1 text-accent-text hover:underline")}
    >
      {formatAnchor(startMs, endMs)}
    </button>
  );
}

function UnreadDot({ id }: { id?: string }) {
  return <span id={id} role="img" aria-label={t("unread")} title={t("unread")} className="size-2 shrink-0 self-center rounded-full bg-accent" />;
}

function ReplyRow({ item, tabIndex, edits, list }: Pick<Props, "edits" | "list"> & { item: CommentItem; tabIndex: 0 | -1 }) {
  const { projectId, actions, isUnread, permissionsOf, nameOf, personOf } = list;
  const { name, avatarUrl } = personOf(item);
  const { comment } = item;
  return (
    <li className="group/reply flex gap-2">
      <Avatar id={item.accountId} name={name} url={avatarUrl} size="xs" className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline gap-2">
          <bdi className="min-w-0 truncate font-semibold">{name}</bdi>
          <AgentBadge accountId={item.accountId} />
          <time dateTime={new Date(item.createdAt).toISOString()} title={formatDateTime(item.createdAt)} className="text-xs text-text-2">
            {formatCreatedAt(item.createdAt, useServiceTime())}
          </time>
          {isUnread(item) && <UnreadDot />}
        </p>
        <CommentContent item={item} edits={edits} projectId={projectId} nameOf={nameOf} actions={actions} />
      </div>
      {comment && !comment.deleted && (
        <span className="-my-0.5 opacity-0 group-focus-within:opacity-100 group-hover/reply:opacity-100 pointer-coarse:opacity-100">
          <CommentMenu item={item} name={name} projectId={projectId} permissions={permissionsOf(item)} actions={actions} tabIndex={tabIndex} />
        </span>
      )}
    </li>
  );
}
