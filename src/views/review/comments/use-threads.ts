import { useCallback, useMemo, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { isUnread } from "../../../queries/comments/comment-list.ts";
import { useComments } from "../../../queries/comments/use-comments.ts";
import { useRepliesWithFiles } from "../../../sync/uploads/use-uploads.ts";
import { useEditing } from "../../../sync/drafts/use-editing.ts";
import { withRecordedPosition } from "../../../lib/recorded-position.ts";
import type { CommentPlayback } from "./playback.ts";
import {
  buildThreads,
  type CommentItem,
  type Filter,
  filterThreads,
  findThread,
  parseCommentId,
  parseFilter,
  type Thread,
  threadItems,
  withFilter,
} from "./threads.ts";

export interface CommentedFile {
  fileId: number;
  projectId: number;
  /** The version shown, which is the default version for new comments. */
  version: number;
  /** null if the file has no timeline or the timeline is not loaded yet. */
  playback: CommentPlayback | null;
}

const NO_THREADS: readonly Thread[] = [];

/** Returns a file's comments as threads, filtered by the URL, with the unread state of each comment. */
export function useThreads({ fileId, projectId }: CommentedFile, accountId: number, { activeIds, lastFocusedKey, setLastFocusedKey }: ListState) {
  const { comments, lastReadId, pending, error, refetch } = useComments(fileId, projectId);
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const filter = parseFilter(search);
  const linkedCommentId = parseCommentId(search);
  // Comments that were unread when the page opened stay marked as unread while the page is open.
  const [initialLastRead, setInitialLastRead] = useState<number | null>(null);
  if (initialLastRead === null && comments) setInitialLastRead(lastReadId);
  /** Threads resolved here, reached by a link or shown on request. They stay visible until the filter changes. */
  const [pinnedKeys, setPinnedKeys] = useState<ReadonlySet<string>>(new Set());

  const threads = useMemo(() => (comments ? buildThreads(comments, pending, activeIds) : undefined), [comments, pending, activeIds]);
  const isUnreadItem = useMemo(
    () =>
      ({ comment }: CommentItem): boolean =>
        comment !== null && initialLastRead !== null && isUnread(comment, initialLastRead, accountId),
    [initialLastRead, accountId],
  );
  const linkedThread = useMemo(() => findThread(threads ?? NO_THREADS, linkedCommentId), [threads, linkedCommentId]);
  const visibleThreads = useMemo(() => {
    const allThreads = threads ?? NO_THREADS;
    const isActive = ({ comment }: CommentItem) => comment !== null && activeIds.has(comment.id);
    const activeKeys = allThreads
      .filter((thread) => thread === linkedThread || thread.key === lastFocusedKey || threadItems(thread).some(isActive))
      .map(({ key }) => key);
    return filterThreads(allThreads, { filter, accountId, pinnedKeys: new Set([...pinnedKeys, ...activeKeys]) });
  }, [threads, filter, accountId, pinnedKeys, linkedThread, activeIds, lastFocusedKey]);
  /** Keys of the threads with unread comments that the filter hides because they are resolved. */
  const hiddenNewKeys = useMemo(
    () =>
      filter === "open"
        ? (threads ?? NO_THREADS).filter((thread) => !visibleThreads.includes(thread) && threadItems(thread).some(isUnreadItem)).map(({ key }) => key)
        : [],
    [threads, filter, visibleThreads, isUnreadItem],
  );

  return {
    comments,
    lastReadId,
    threads,
    visibleThreads,
    hiddenNewCount: hiddenNewKeys.length,
    showHiddenNew: () => setPinnedKeys((previous) => new Set([...previous, ...hiddenNewKeys])),
    pending,
    error,
    refetch: () => void refetch(),
    filter,
    setFilter(next: Filter) {
      setPinnedKeys(new Set());
      setLastFocusedKey(null);
      void navigate({ search: withFilter(search, next).toString() }, { replace: true, state: withRecordedPosition(null) });
    },
    isUnread: isUnreadItem,
    keepVisible: useCallback((key: string) => setPinnedKeys((previous) => (previous.has(key) ? previous : new Set([...previous, key]))), []),
    linkedCommentId,
    linkedThread,
    isLinkedCommentMissing: linkedCommentId !== null && threads !== undefined && linkedThread === undefined,
  };
}

/** Holds the user's state in the comment list: selection, row to reveal, last focused row, open reply, and edits. Comments in use, also by a closed
 * reply with files, stay in the list. */
export function useListState(fileId: number) {
  const [selectedKey, select] = useState<string | null>(null);
  /** The newest request to reveal a row. It stays after the list has handled it; null if there was none. */
  const [revealRequest, setRevealRequest] = useState<RevealRequest | null>(null);
  const reveal = useCallback((key: string, by: RevealRequest["by"]) => setRevealRequest({ key, by }), []);
  const [lastFocusedKey, setLastFocusedKey] = useState<string | null>(null);
  /** Id of the comment with an open reply form. */
  const [replyingTo, setReplyingTo] = useState<number | null>(null);
  const editing = useEditing(`file.${fileId}`);
  const { edits } = editing;
  const repliesWithFiles = useRepliesWithFiles();
  const activeIds = useMemo(
    () => new Set([...edits.keys(), ...repliesWithFiles, ...(replyingTo === null ? [] : [replyingTo])]),
    [edits, repliesWithFiles, replyingTo],
  );
  return {
    selectedKey,
    select,
    revealRequest,
    reveal,
    lastFocusedKey,
    setLastFocusedKey,
    replyingTo,
    setReplyingTo,
    repliesWithFiles,
    editing,
    edits,
    activeIds,
  };
}

export type ListState = ReturnType<typeof useListState>;

/** Asks the list to scroll to a row and focus it as soon as it shows the row. A link leaves the focus to a user who is writing meanwhile. */
export interface RevealRequest {
  key: string;
  by: "link" | "user";
}
