import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { LoadError } from "../../../components/ErrorNotice.tsx";
import { useFileDrop } from "../../../components/uploads/use-file-drop.ts";
import { classNames } from "../../../lib/class-names.ts";
import { usePageActive } from "../../../lib/page-activity.ts";
import { t } from "../../../lib/texts/comments.ts";
import { t as tUploads } from "../../../lib/texts/uploads.ts";
import { useMarkCommentsRead } from "../../../queries/comments/use-comments.ts";
import { useCurrentUser } from "../../../queries/permissions.ts";
import { useSession } from "../../../queries/session.ts";
import { Button } from "../../../ui/Button.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { PHONE, useMediaQuery } from "../../../ui/responsive.ts";
import { RowsSkeleton } from "../../../ui/Skeleton.tsx";
import { NON_TEXT_INPUTS, usesLetterKeys } from "../../../ui/use-document-keydown.ts";
import { type FileComments, useFileComments, useOptionalFileComments } from "./CommentsProvider.tsx";
import { Composer } from "./Composer.tsx";
import { findCurrent, usePlaybackValue } from "./playback.ts";
import { revealRow } from "./row-focus.ts";
import { type ThreadListProps, ThreadRow } from "./ThreadRow.tsx";
import { type CommentItem, commentPermissions, FILTERS, isResolved, isResolvedOrDeleted, type Thread, threadItems } from "./threads.ts";
import { useCommentFiles } from "./use-comment-files.ts";
import { useAutoScroll } from "./use-auto-scroll.ts";
import { useCommentKeys, useRowKeys } from "./use-comment-keys.ts";

/** A stable empty map, so that memoized rows without an open edit do not rerender on every keystroke. */
const NO_EDITS: FileComments["edits"] = new Map();

const FILTER_LABELS = { open: "open", mine: "mine", all: "all" } as const;

interface CommentsPanelProps {
  /** The element whose keys and dropped files belong to the comments; without it, those of the whole page do. */
  area?: RefObject<HTMLElement | null>;
}

/** Renders the composer and the comment list of the file, synchronized with playback; nothing if the service does not support comments. */
export function CommentsPanel({ area }: CommentsPanelProps) {
  return useOptionalFileComments() && <Panel {...(area && { area })} />;
}

function Panel({ area }: CommentsPanelProps) {
  const { threads, visibleThreads, canWrite, hiddenNewCount, showHiddenNew, error, refetch, isLinkedCommentMissing } = useFileComments();
  const counts = useMemo(() => formatCounts(visibleThreads), [visibleThreads]);
  useCommentKeys(area);
  const drop = useCommentDrop(area);
  return (
    <section aria-labelledby="comments" className="relative min-w-0 border-b border-line px-4 pb-4 tablet:px-5">
      {drop.isDragging && <DropHint {...drop} coversPage={area === undefined} />}
      <div data-list-head className="z-2 -mx-4 bg-surface px-4 py-4 tablet:-mx-5 tablet:px-5 stays:sticky stays:top-0 beside:sticky beside:top-0">
        <div className="flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1">
          <h2 id="comments" tabIndex={-1} className="font-semibold">
            {t("comments")}
          </h2>
          <p className="flex-1 text-text-2">{counts}</p>
          <FilterTabs />
        </div>
        {canWrite && <Composer />}
      </div>
      {isLinkedCommentMissing && <Notice title={t("missing")} className="mt-3" />}
      {!threads && error !== null && <LoadError error={error} retry={refetch} />}
      {!threads && error === null && (
        <div role="status" aria-label={t("loading")} className="mx-4 mt-2">
          <RowsSkeleton rows={3} />
        </div>
      )}
      {hiddenNewCount > 0 && (
        <p className="mt-3 flex flex-wrap items-center gap-2 text-sm text-text-2">
          <span aria-hidden className="size-2 rounded-full bg-accent" />
          {t("newInResolved", { count: hiddenNewCount })}
          <Button size="sm" variant="ghost" onClick={showHiddenNew}>
            {t("showNew")}
          </Button>
        </p>
      )}
      {threads && visibleThreads.length === 0 && <EmptyComments count={threads.length} />}
      {threads && <List />}
    </section>
  );
}

/** Attaches files that are dropped in the area: to the open reply, else to the comment that is being written. */
function useCommentDrop(area: CommentsPanelProps["area"]) {
  const { fileId, projectId, comments, replyingTo } = useFileComments();
  const isReply = comments?.some(({ id, deleted }) => id === replyingTo && !deleted) === true;
  const { add, disabledReason } = useCommentFiles(projectId, isReply ? `comment.${replyingTo!}` : `file.${fileId}`);
  const isDragging = useFileDrop(({ files, folderCount }) => add(files, folderCount), area);
  return { isDragging, disabledReason, isReply };
}

function DropHint({ disabledReason, isReply, coversPage }: { disabledReason: string | null; isReply: boolean; coversPage: boolean }) {
  return (
    <div aria-hidden className="absolute inset-0 z-20 flex bg-surface/85 p-2">
      {/* Catches drops anywhere on the page. */}
      {coversPage && <div className="fixed inset-0" />}
      <div
        className={classNames(
          "flex max-h-40 flex-1 flex-col items-center justify-center gap-1 rounded-lg border-2 border-dashed px-4 text-center",
          disabledReason === null ? "border-accent" : "border-line-strong",
        )}
      >
        <span className="font-semibold">{disabledReason === null ? t("dropTitle") : tUploads("dropDisabled")}</span>
        <span className="text-sm text-text-2">{disabledReason ?? t(isReply ? "dropHelpReply" : "dropHelp")}</span>
      </div>
    </div>
  );
}

/** Returns how many of the listed threads are open and resolved; "" for none. */
function formatCounts(threads: readonly Thread[]): string {
  const openCount = threads.filter((thread) => !isResolvedOrDeleted(thread)).length;
  const resolvedCount = threads.filter(isResolved).length;
  return [openCount > 0 && t("openCount", { count: openCount }), resolvedCount > 0 && t("resolvedCount", { count: resolvedCount })].filter(Boolean).join(" · ");
}

function List() {
  const { projectId, version, playback, visibleThreads, isUnread, nameOf, personOf, selectedKey, replyingTo, repliesWithFiles, edits, actions } =
    useFileComments();
  const listRef = useRef<HTMLOListElement>(null);
  const currentKey = usePlaybackValue(playback, (seconds) => findCurrent(visibleThreads, seconds * 1_000)?.key ?? null);
  // Runs before the automatic scrolling, which leaves a list with the focus alone.
  useRevealRow();
  const followHandlers = useAutoScroll(listRef, currentKey);
  const user = useCurrentUser();
  const permissionsOf = useCallback((item: CommentItem) => commentPermissions(item, user), [user]);
  const { tabStopKey, onRowFocus, onKey } = useRowKeys(permissionsOf);
  useMarkAsRead(listRef);
  const isTimed = playback !== null;
  // Memoized, so that only rows that change rerender.
  const listProps = useMemo(
    (): ThreadListProps => ({ projectId, version, isTimed, actions, isUnread, permissionsOf, nameOf, personOf, onRowFocus, onKey }),
    [projectId, version, isTimed, actions, isUnread, permissionsOf, nameOf, personOf, onRowFocus, onKey],
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the handlers only observe whether the user interacts with the list
    <ol
      ref={listRef}
      aria-label={t("comments")}
      {...followHandlers}
      className="@container -mx-3 flex min-h-px flex-col gap-0.5 stays:[&_article]:scroll-mt-32 beside:[&_article]:scroll-mt-32"
    >
      {visibleThreads.map((thread) => (
        <ThreadRow
          key={thread.key}
          thread={thread}
          isCurrent={thread.key === currentKey}
          isSelected={thread.key === selectedKey}
          isTabStop={thread.key === tabStopKey}
          isReplying={replyingTo !== null && thread.comment?.id === replyingTo}
          hasDraftReply={thread.comment !== null && repliesWithFiles.has(thread.comment.id)}
          edits={threadItems(thread).some(({ comment }) => comment && edits.has(comment.id)) ? edits : NO_EDITS}
          list={listProps}
        />
      ))}
    </ol>
  );
}

/** Handles each request to reveal a row once, as soon as the row is in the list, which may render long after the request. */
function useRevealRow(): void {
  const { visibleThreads, revealRequest: request } = useFileComments();
  const handledRequest = useRef<typeof request>(null);
  useEffect(() => {
    if (!request || handledRequest.current === request || !visibleThreads.some(({ key }) => key === request.key)) return;
    handledRequest.current = request;
    // A link must not move the focus away from what the user is writing.
    if (request.by === "user" || !usesLetterKeys(document.activeElement, NON_TEXT_INPUTS)) revealRow(request.key);
  }, [request, visibleThreads]);
}

function EmptyComments({ count }: { count: number }) {
  const { playback, canWrite, filter, setFilter } = useFileComments();
  const isPhone = useMediaQuery(PHONE);
  if (count === 0) {
    return (
      <p className="mt-3 text-text-2">
        {t("noneYet")} {canWrite && t(!playback ? "noneYetPlain" : isPhone ? "noneYetTouch" : "noneYetHelp")}
      </p>
    );
  }
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3 text-text-2">
      {t(filter === "mine" ? "noneMine" : "noneOpen")}
      <Button size="sm" onClick={() => setFilter("all")}>
        {t("showAll", { count })}
      </Button>
    </div>
  );
}

function FilterTabs() {
  const { filter, setFilter } = useFileComments();
  return (
    <div role="group" aria-label={t("filter")} className="flex gap-0.5">
      {FILTERS.map((option) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === filter}
          onClick={() => setFilter(option)}
          className={classNames(
            "h-7 min-w-9 rounded-md px-2.5 text-sm font-medium transition-colors max-tablet:h-9",
            option === filter ? "bg-raised text-text" : "text-text-2 hover:bg-hover hover:text-text",
          )}
        >
          {t(FILTER_LABELS[option])}
        </button>
      ))}
    </div>
  );
}

/** Marks comments as read while the page is visible and the list is in view. */
function useMarkAsRead(listRef: RefObject<HTMLElement | null>): void {
  const { id: accountId } = useSession().account;
  const { fileId, lastReadId, threads } = useFileComments();
  const isActive = usePageActive();
  const [isInView, setIsInView] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setIsInView(entry?.isIntersecting === true));
    observer.observe(listRef.current!);
    return () => observer.disconnect();
  }, [listRef]);
  const items = (threads ?? []).flatMap(threadItems);
  // The user's own comments are never unread.
  const otherCommentIds = items.flatMap(({ comment }) => (comment && comment.account_id !== accountId && !comment.deleted ? comment.id : []));
  useMarkCommentsRead(fileId, lastReadId, isActive && isInView && otherCommentIds.length > 0 ? Math.max(...otherCommentIds) : null);
}
