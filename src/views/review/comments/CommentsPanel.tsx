import { useRef } from "react";
import { t } from "../../../lib/messages/comments.ts";
import { LoadError } from "../../../parts/load-error/LoadError.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { RowsSkeleton } from "../../../ui/RowsSkeleton.tsx";
import { PHONE, useMediaQuery } from "../../../ui/use-media.ts";
import { useClock } from "./clock.ts";
import { useOptionalCommentsContext, type CommentsContextValue } from "./comments-room.ts";
import { Composer } from "./Composer.tsx";
import { FilterTabs } from "./FilterTabs.tsx";
import { findCurrent } from "./model/current.ts";
import { threadItems } from "./model/threads.ts";
import { ThreadRow } from "./ThreadRow.tsx";
import { useCommentKeys } from "./use-comment-keys.ts";
import { useAutoScroll } from "./use-follow.ts";
import { useRowKeys } from "./use-row-keys.ts";
import { useMarkAsRead } from "./use-seen.ts";

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

/** A stable empty map, so that memoized rows without an open edit do not rerender on every keystroke. */
const NO_EDITS: CommentsContextValue["edits"] = new Map();

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
