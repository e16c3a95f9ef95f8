import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { LoadError } from "../../../components/LoadError.tsx";
import { classNames } from "../../../lib/class-names.ts";
import { t } from "../../../lib/texts/comments.ts";
import { isPageVisible, onPageVisibilityChange } from "../../../lib/page-visibility.ts";
import { useReadComments } from "../../../queries/comments/use-comments.ts";
import { Button } from "../../../ui/Button.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { PHONE, useMediaQuery } from "../../../ui/responsive.ts";
import { RowsSkeleton } from "../../../ui/Skeleton.tsx";
import { type CommentsContextValue, useOptionalCommentsContext } from "./comments-context.ts";
import { Composer } from "./Composer.tsx";
import { findCurrent, useClock } from "./playback.ts";
import { ThreadRow } from "./ThreadRow.tsx";
import { type Filter, FILTERS, threadItems } from "./threads.ts";
import { useAutoScroll } from "./use-auto-scroll.ts";
import { useCommentKeys, useRowKeys } from "./use-comment-keys.ts";

/** A stable empty map, so that memoized rows without an open edit do not rerender on every keystroke. */
const NO_EDITS: CommentsContextValue["edits"] = new Map();

const FILTER_LABELS = { open: "open", mine: "mine", all: "all" } as const;

/** Renders the composer and the comment list of the file, synchronized with playback. Renders nothing when the service has no comments. */
export function CommentsPanel() {
  const context = useOptionalCommentsContext();
  return context && <Panel context={context} />;
}

function Panel({ context }: { context: CommentsContextValue }) {
  const { threads, visibleThreads, openCount, error, isLinkedCommentMissing } = context;
  useCommentKeys(context);
  return (
    <section aria-labelledby="comments" className="min-w-0 border-b border-line px-4 py-4 tablet:px-5">
      <div className="flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1">
        <h2 id="comments" tabIndex={-1} className="font-semibold">
          {t("comments")}
        </h2>
        <p className="flex-1 text-text-2">{openCount > 0 && t("openCount", { count: openCount })}</p>
        <FilterTabs filter={context.filter} onSelect={context.setFilter} />
      </div>
      <Composer />
      {isLinkedCommentMissing && <Notice title={t("missing")} className="mt-3" />}
      {!threads && (error ? <LoadError error={error} retry={context.refetch} /> : <Loading />)}
      {threads && visibleThreads.length === 0 && <EmptyComments context={context} />}
      {threads && <List context={context} />}
    </section>
  );
}

function List({ context }: { context: CommentsContextValue }) {
  const { clock, visibleThreads, selectedKey, replyingTo, edits, projectId, version, actions, isUnread, permissionsOf, personOf } = context;
  const listRef = useRef<HTMLOListElement>(null);
  const currentKey = useClock(clock, (seconds) => findCurrent(visibleThreads, seconds * 1_000)?.key ?? null);
  const followHandlers = useAutoScroll(listRef, currentKey);
  const { tabStopKey, onRowFocus, onKey } = useRowKeys(context);
  useMarkAsRead(context, listRef);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only notices that somebody is at it
    <ol
      ref={listRef}
      aria-label={t("comments")}
      {...followHandlers}
      className="-mx-3 mt-2 flex min-h-px flex-col gap-0.5 tablet:max-h-[max(22rem,56dvh)] tablet:overflow-y-auto tablet:overscroll-contain"
    >
      {visibleThreads.map((thread) => (
        <ThreadRow
          key={thread.key}
          thread={thread}
          projectId={projectId}
          version={version}
          isTimed={clock !== null}
          isCurrent={thread.key === currentKey}
          isSelected={thread.key === selectedKey}
          isTabStop={thread.key === tabStopKey}
          isReplying={replyingTo !== null && thread.comment?.id === replyingTo}
          edits={threadItems(thread).some(({ comment }) => comment && edits.has(comment.id)) ? edits : NO_EDITS}
          actions={actions}
          isUnread={isUnread}
          permissionsOf={permissionsOf}
          personOf={personOf}
          onRowFocus={onRowFocus}
          onKey={onKey}
        />
      ))}
    </ol>
  );
}

function EmptyComments({ context: { threads, filter, clock, setFilter } }: { context: CommentsContextValue }) {
  const isPhone = useMediaQuery(PHONE);
  const count = threads?.length ?? 0;
  if (count === 0) {
    return (
      <p className="mt-3 text-text-2">
        {t("noneYet")} {t(!clock ? "noneYetPlain" : isPhone ? "noneYetTouch" : "noneYetHelp")}
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

function Loading() {
  return (
    <div role="status" aria-label={t("loading")} className="mx-4 mt-2">
      <RowsSkeleton rows={3} />
    </div>
  );
}

/** Renders the buttons that choose which comments the list shows. */
function FilterTabs({ filter, onSelect }: { filter: Filter; onSelect(filter: Filter): void }) {
  return (
    <div role="group" aria-label={t("filter")} className="flex gap-0.5">
      {FILTERS.map((option) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === filter}
          onClick={() => onSelect(option)}
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
function useMarkAsRead({ fileId, accountId, lastRead, threads }: CommentsContextValue, listRef: RefObject<HTMLElement | null>): void {
  const pageVisible = useSyncExternalStore(onPageVisibilityChange, isPageVisible);
  const [inView, setInView] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting === true));
    observer.observe(listRef.current!);
    return () => observer.disconnect();
  }, [listRef]);
  const items = (threads ?? []).flatMap((thread) => [thread, ...thread.replies]);
  // The user's own comments are never unread.
  const otherCommentIds = items.flatMap(({ comment }) => (comment && comment.account_id !== accountId && !comment.deleted ? comment.id : []));
  useReadComments(fileId, lastRead, pageVisible && inView && otherCommentIds.length > 0 ? Math.max(...otherCommentIds) : null);
}
