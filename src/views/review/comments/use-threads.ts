import { useCallback, useMemo, useState } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { isUnread } from "../../../queries/comments/list.ts";
import { useComments } from "../../../queries/comments/use-comments.ts";
import { filtered, filterIn, linkedIn, threadWith, withFilter, type Filter } from "./model/filter.ts";
import { isSettled, notesOf, threadsOf, type Note, type Thread } from "./model/threads.ts";
import type { Hands } from "./use-hands.ts";

const NONE: readonly Thread[] = [];

/** A file's comments as threads, what the address leaves of them, and which are new to this reader. */
export function useThreads(fileId: number, projectId: number, accountId: number, { busy, reached, reach }: Hands) {
  const { comments, lastRead, pending, error, refetch } = useComments(fileId, projectId);
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const filter = filterIn(search);
  const linked = linkedIn(search);
  // What was unread when the page was opened stays marked while it is open.
  const [readAtOpening, setReadAtOpening] = useState<number | null>(null);
  if (readAtOpening === null && comments) setReadAtOpening(lastRead);
  /** Resolved here, or a link led to them: they stay where they are until another filter is chosen. */
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());

  const threads = useMemo(() => (comments ? threadsOf(comments, pending, busy) : undefined), [comments, pending, busy]);
  const isNew = useMemo(
    () =>
      ({ comment }: Note): boolean =>
        comment !== null && readAtOpening !== null && isUnread(comment, readAtOpening, accountId),
    [readAtOpening, accountId],
  );
  const target = useMemo(() => threadWith(threads ?? NONE, linked), [threads, linked]);
  const shown = useMemo(() => {
    const all = threads ?? NONE;
    const stays = (note: Note) => isNew(note) || (note.comment !== null && busy.has(note.comment.id));
    const held = all.filter((thread) => thread === target || thread.key === reached || notesOf(thread).some(stays)).map(({ key }) => key);
    return filtered(all, { filter, accountId, held: new Set([...kept, ...held]) });
  }, [threads, filter, accountId, kept, isNew, target, busy, reached]);

  return {
    comments,
    lastRead,
    threads,
    shown,
    pending,
    error,
    refetch: () => void refetch(),
    openCount: useMemo(() => (threads ?? NONE).filter((thread) => !isSettled(thread)).length, [threads]),
    filter,
    setFilter(next: Filter) {
      setKept(new Set());
      reach(null);
      const text = withFilter(search, next).toString();
      void navigate(text === "" ? pathname : `${pathname}?${text}`, { replace: true, state: { keepPosition: true } });
    },
    isUnread: isNew,
    hold: useCallback((key: string) => setKept((before) => (before.has(key) ? before : new Set([...before, key]))), []),
    linked,
    target,
    missing: linked !== null && threads !== undefined && target === undefined,
  };
}
