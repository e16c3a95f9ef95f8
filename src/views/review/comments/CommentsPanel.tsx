import { useRef } from "react";
import { t } from "../../../lib/messages/comments.ts";
import { LoadError } from "../../../parts/load-error/LoadError.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { RowsSkeleton } from "../../../ui/RowsSkeleton.tsx";
import { useClock } from "./clock.ts";
import { useMaybeComments, type CommentsRoom } from "./comments-room.ts";
import { Composer } from "./Composer.tsx";
import { FilterTabs } from "./FilterTabs.tsx";
import { currentAt } from "./model/current.ts";
import { notesOf } from "./model/threads.ts";
import { ThreadRow } from "./ThreadRow.tsx";
import { useCommentKeys } from "./use-comment-keys.ts";
import { useFollow } from "./use-follow.ts";
import { useRowKeys } from "./use-row-keys.ts";
import { useSeen } from "./use-seen.ts";

/** What people say about the file, in step with what is heard, and where one says something. A service without comments shows nothing of it. */
export function CommentsPanel() {
  const room = useMaybeComments();
  return room && <Panel room={room} />;
}

function Panel({ room }: { room: CommentsRoom }) {
  const { threads, shown, openCount, error, missing } = room;
  useCommentKeys(room);
  return (
    <section aria-labelledby="comments" className="min-w-0 border-b border-line px-4 py-4 tablet:px-5">
      <div className="flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1">
        <h2 id="comments" tabIndex={-1} className="font-semibold">
          {t("comments")}
        </h2>
        <p className="flex-1 text-text-2">{openCount > 0 && t("openCount", { count: openCount })}</p>
        <FilterTabs filter={room.filter} onChoose={room.setFilter} />
      </div>
      <Composer />
      {missing && <Notice title={t("missing")} className="mt-3" />}
      {!threads && (error ? <LoadError error={error} retry={room.refetch} /> : <Loading />)}
      {threads && shown.length === 0 && <Nothing room={room} />}
      {threads && <List room={room} />}
    </section>
  );
}

/** The same for all rows that nobody changes: they are not drawn anew at every key. */
const NONE: CommentsRoom["edits"] = new Map();

function List({ room }: { room: CommentsRoom }) {
  const { clock, shown, selected, replying, edits, projectId, version, act, isUnread, rightsOf, personOf } = room;
  const box = useRef<HTMLOListElement>(null);
  const current = useClock(clock, (seconds) => currentAt(shown, seconds * 1_000)?.key ?? null);
  const follow = useFollow(box, current);
  const { reached, onReached, onKey } = useRowKeys(room);
  useSeen(room, box);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only notices that somebody is at it
    <ol
      ref={box}
      aria-label={t("comments")}
      {...follow}
      className="-mx-3 mt-2 flex min-h-px flex-col gap-0.5 tablet:max-h-[max(22rem,56dvh)] tablet:overflow-y-auto tablet:overscroll-contain"
    >
      {shown.map((thread) => (
        <ThreadRow
          key={thread.key}
          thread={thread}
          projectId={projectId}
          version={version}
          timed={clock !== null}
          current={thread.key === current}
          selected={thread.key === selected}
          reached={thread.key === reached}
          replying={replying !== null && thread.comment?.id === replying}
          edits={notesOf(thread).some(({ comment }) => comment && edits.has(comment.id)) ? edits : NONE}
          act={act}
          isUnread={isUnread}
          rightsOf={rightsOf}
          personOf={personOf}
          onReached={onReached}
          onKey={onKey}
        />
      ))}
    </ol>
  );
}

function Nothing({ room: { threads, filter, clock, setFilter } }: { room: CommentsRoom }) {
  const count = threads?.length ?? 0;
  if (count === 0) {
    return (
      <p className="mt-3 text-text-2">
        {t("noneYet")} {t(clock ? "noneYetHelp" : "noneYetPlain")}
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
