import { CircleCheck, Reply as ReplyIcon } from "lucide-react";
import { memo, type KeyboardEvent } from "react";
import { classes } from "../../../lib/classes.ts";
import { t } from "../../../lib/messages/comments.ts";
import { formatFull } from "../../../lib/time.ts";
import type { Person } from "../../../queries/members/use-people.ts";
import { Avatar } from "../../../ui/Avatar.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import type { CommentActs, CommentsRoom } from "./comments-room.ts";
import { EditForm } from "./EditForm.tsx";
import type { CommentRights } from "./model/rights.ts";
import { isResolved, type Note, type Thread } from "./model/threads.ts";
import { NoteMenu } from "./NoteMenu.tsx";
import { NoteWords } from "./NoteWords.tsx";
import { ReplyForm } from "./ReplyForm.tsx";
import { rowId } from "./reveal.ts";
import { goToWords, placeWords, whenWords } from "./words.ts";

interface Props {
  thread: Thread;
  projectId: number;
  /** The version that is shown: comments of others say so. */
  version: number;
  /** The file has times. */
  timed: boolean;
  current: boolean;
  selected: boolean;
  /** The one row that Tab leads to. */
  reached: boolean;
  replying: boolean;
  edits: CommentsRoom["edits"];
  act: CommentActs;
  isUnread(note: Note): boolean;
  rightsOf(note: Note): CommentRights;
  personOf(note: Note): Person;
  onReached(key: string): void;
  /** Answers whether the key was taken. */
  onKey(event: KeyboardEvent, thread: Thread): boolean;
}

/** A comment with its replies. */
export const ThreadRow = memo(function ThreadRow(props: Props) {
  const { thread, projectId, version, timed, current, selected, reached, replying, edits, act, isUnread, rightsOf, personOf } = props;
  const { key, at, end, comment, accountId } = thread;
  const { name, avatarUrl } = personOf(thread);
  const id = rowId(key);
  const resolved = isResolved(thread);
  const tab = reached ? 0 : -1;
  const rights = rightsOf(thread);
  const there = comment !== null && !comment.deleted;
  return (
    <li>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it has keys of its own, each of which a button has too */}
      <article
        id={id}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- one row is reached by Tab, the others from there
        tabIndex={tab}
        aria-label={t("commentOf", { name, time: at === null ? t("wholeFile") : placeWords(at, end) })}
        aria-describedby={`${id}-new ${id}-words ${id}-about`}
        aria-current={current || undefined}
        onFocus={() => props.onReached(key)}
        onKeyDown={(event) => event.target === event.currentTarget && props.onKey(event, thread) && event.preventDefault()}
        className={classes(
          "group relative grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-2.5 rounded-lg px-3 py-2.5 transition-colors focus-visible:-outline-offset-2",
          timed && "tablet:grid-cols-[5.75rem_auto_minmax(0,1fr)_auto]",
          current ? "bg-accent-soft" : selected ? "bg-hover" : "hover:bg-hover/60",
        )}
      >
        {timed && <Place thread={thread} tabIndex={tab} act={act} />}
        <Avatar
          id={accountId}
          name={name}
          url={avatarUrl}
          size="sm"
          className={classes("mt-0.5", timed && "max-tablet:col-start-1", resolved && "opacity-60")}
        />
        <div className={classes("min-w-0", timed && "max-tablet:col-span-2", resolved && !current && "text-text-2")}>
          <p className="flex flex-wrap items-baseline gap-x-2">
            <bdi className="min-w-0 truncate font-semibold">{name}</bdi>
            <span id={`${id}-about`} className="text-xs text-text-2">
              {thread.version !== version && `${t("fromVersion", { number: thread.version })} · `}
              <time dateTime={new Date(thread.createdAt).toISOString()} title={formatFull(thread.createdAt)}>
                {whenWords(thread.createdAt)}
              </time>
              {resolved && ` · ${t("resolved")}`}
            </span>
            {isUnread(thread) && <Dot id={`${id}-new`} />}
          </p>
          <div id={`${id}-words`}>
            <Words note={thread} edits={edits} act={act} />
          </div>
          {thread.replies.length > 0 && (
            <ul className="mt-1.5 flex flex-col gap-1.5 border-l-2 border-line pl-3">
              {thread.replies.map((note) => (
                <ReplyRow key={note.key} {...props} note={note} tabIndex={tab} />
              ))}
            </ul>
          )}
          {replying && <ReplyForm thread={thread} name={name} act={act} />}
        </div>
        {there && (
          <div className="-my-0.5 flex items-start gap-0.5 max-tablet:-my-2 max-tablet:-mr-2 max-tablet:col-start-3 max-tablet:row-start-1">
            <IconButton
              label={t("replyTo", { name })}
              tabIndex={tab}
              className="size-7 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 max-tablet:size-9 pointer-coarse:opacity-100"
              onClick={() => act.startReply(thread)}
            >
              <ReplyIcon size={17} aria-hidden />
            </IconButton>
            <span className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
              <NoteMenu note={thread} name={name} projectId={projectId} rights={rights} act={act} tabIndex={tab} />
            </span>
            <IconButton
              label={t(resolved ? "reopen" : "resolve")}
              title={rights.resolve ? t(resolved ? "reopen" : "resolve") : t("guestResolves")}
              aria-pressed={resolved}
              tabIndex={tab}
              disabled={!rights.resolve}
              className={classes("size-7 max-tablet:size-9", resolved && "text-ok!")}
              onClick={() => act.resolve(thread, !resolved)}
            >
              <CircleCheck size={18} aria-hidden />
            </IconButton>
          </div>
        )}
      </article>
    </li>
  );
});

/** Where it stands in the sound; pressed it leads there. */
function Place({ thread, tabIndex, act }: { thread: Thread; tabIndex: 0 | -1; act: CommentActs }) {
  const { at, end } = thread;
  const frame = "tabular self-start text-left font-semibold whitespace-nowrap max-tablet:col-span-2";
  if (at === null) return <span className={classes(frame, "pt-px text-xs leading-6 font-normal text-text-3")}>{t("wholeFile")}</span>;
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-label={goToWords(at, end)}
      title={goToWords(at, end)}
      onClick={() => act.open(thread, { fromList: true })}
      className={classes(frame, "-mx-1 min-h-6 w-fit rounded-sm px-1 text-accent-text hover:underline")}
    >
      {placeWords(at, end)}
    </button>
  );
}

function Words({ note, edits, act }: Pick<Props, "edits" | "act"> & { note: Note }) {
  const edit = note.comment ? edits.get(note.comment.id) : undefined;
  return edit ? <EditForm note={note} edit={edit} act={act} /> : <NoteWords note={note} act={act} />;
}

function Dot({ id }: { id?: string }) {
  return <span id={id} role="img" aria-label={t("unread")} title={t("unread")} className="size-2 shrink-0 self-center rounded-full bg-accent" />;
}

function ReplyRow({ note, tabIndex, projectId, edits, act, isUnread, rightsOf, personOf }: Props & { note: Note; tabIndex: 0 | -1 }) {
  const { name, avatarUrl } = personOf(note);
  const { comment } = note;
  return (
    <li className="group/reply flex gap-2">
      <Avatar id={note.accountId} name={name} url={avatarUrl} size="xs" className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline gap-2">
          <bdi className="min-w-0 truncate font-semibold">{name}</bdi>
          <time dateTime={new Date(note.createdAt).toISOString()} title={formatFull(note.createdAt)} className="text-xs text-text-2">
            {whenWords(note.createdAt)}
          </time>
          {isUnread(note) && <Dot />}
        </p>
        <Words note={note} edits={edits} act={act} />
      </div>
      {comment && !comment.deleted && (
        <span className="-my-0.5 opacity-0 group-focus-within:opacity-100 group-hover/reply:opacity-100 pointer-coarse:opacity-100">
          <NoteMenu note={note} name={name} projectId={projectId} rights={rightsOf(note)} act={act} tabIndex={tabIndex} />
        </span>
      )}
    </li>
  );
}
