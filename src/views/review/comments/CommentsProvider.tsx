import { useCallback, useEffect, useRef, type ReactNode } from "react";
import { useLocation } from "react-router";
import { t } from "../../../lib/texts/comments.ts";
import { isInaccessible } from "../../../queries/describe-error.ts";
import { usePeople } from "../../../queries/members.ts";
import { useSession } from "../../../queries/session.ts";
import { usePrependReply } from "../../../sync/drafts/use-comment-draft.ts";
import { announce } from "../../../ui/announce.ts";
import { parsePosition } from "../file-info.ts";
import { hasRecordedPosition } from "../../../lib/recorded-position.ts";
import { CommentComposerContext, CommentInteractionContext, CommentThreadsContext } from "./comments-context.ts";
import type { CommentPlayback } from "./playback.ts";
import type { CommentItem } from "./threads.ts";
import { useCommentActions } from "./use-comment-actions.ts";
import { useComposer } from "./use-composer.ts";
import { useListState, useThreads } from "./use-threads.ts";

interface Props {
  fileId: number;
  projectId: number;
  version: number;
  /** null if the file has no timeline or the timeline is not loaded yet. */
  playback: CommentPlayback | null;
  children: ReactNode;
}

/** Provides the comments of one file to its children. */
export function CommentsProvider({ fileId, projectId, version, playback, children }: Props) {
  const { id: accountId } = useSession().account;
  const people = usePeople(projectId);
  const listState = useListState(fileId);
  const { comments: loadedComments, pending, keepVisible, linkedCommentId, linkedThread, ...list } = useThreads(fileId, projectId, accountId, listState);
  const { restoreDraft, send, ...composing } = useComposer({ fileId, projectId, accountId, version }, playback);
  const prependReply = usePrependReply(accountId);
  const { selectedKey, select, revealRequest, reveal, lastFocusedKey, setLastFocusedKey, replyingTo, editing } = listState;
  const actions = useCommentActions({
    fileId,
    projectId,
    accountId,
    playback,
    threads: list.threads,
    listState,
    keepVisible,
    restoreDraft,
    prependReply,
  });

  // Follows each link to a comment only once, so that later user actions are not overridden.
  const { key, state, search } = useLocation();
  /** Location key and comment id of the link that was opened last. */
  const openedLink = useRef<string | null>(null);
  /** Id of the comment to select and reveal as soon as it is loaded. */
  const commentToFollow = useRef<number | null>(null);
  // True once nothing is left to seek for this link: its URL has a position, or the page has sought to the comment after comments and audio had loaded.
  const hasSought = useRef(false);
  const hasPosition = parsePosition(new URLSearchParams(search)) !== null;
  const isPositionRecorded = hasRecordedPosition(state);
  const targetKey = linkedThread?.key;
  const targetMs = linkedThread?.startMs ?? null;
  useEffect(() => {
    const linkKey = `${key} ${linkedCommentId}`;
    if (!isPositionRecorded && openedLink.current !== linkKey) {
      openedLink.current = linkKey;
      commentToFollow.current = linkedCommentId;
      hasSought.current = hasPosition;
    }
    // The user may have sought before the comments were loaded, which then recorded the position in the URL.
    if (isPositionRecorded) hasSought.current = true;
    if (targetKey === undefined) return;
    if (commentToFollow.current === linkedCommentId) {
      commentToFollow.current = null;
      // Keeps the row visible even after the URL no longer names the comment.
      keepVisible(targetKey);
      select(targetKey);
      reveal(targetKey, "link");
    }
    if (hasSought.current || targetMs === null || !playback) return;
    hasSought.current = true;
    playback.seek(targetMs / 1_000);
  }, [key, isPositionRecorded, linkedCommentId, targetKey, targetMs, hasPosition, playback, keepVisible, select, reveal]);

  useCommentAnnouncements(loadedComments, accountId, pending.filter((entry) => entry.state === "failed").length);

  const personOf = useCallback(
    ({ accountId: id, comment }: CommentItem) => people(id) ?? { name: comment?.account.username ?? t("formerMember"), avatarUrl: null },
    [people],
  );
  // Provides no contexts when the service does not support comments.
  const isUnsupported = list.threads === undefined && isInaccessible(list.error);
  return (
    <CommentThreadsContext value={isUnsupported ? null : { ...list, personOf }}>
      <CommentComposerContext value={isUnsupported ? null : { ...composing, send: (body) => select(send(body)) }}>
        <CommentInteractionContext
          value={isUnsupported ? null : { selectedKey, revealRequest, lastFocusedKey, setLastFocusedKey, replyingTo, edits: editing.edits, actions }}
        >
          {children}
        </CommentInteractionContext>
      </CommentComposerContext>
    </CommentThreadsContext>
  );
}

/** Announces new comments by other people and failed sends to screen readers. */
function useCommentAnnouncements(
  comments: readonly { id: number; account_id: number; account: { username: string }; body: string }[] | undefined,
  accountId: number,
  failedCount: number,
): void {
  const newestId = useRef<number | null>(null);
  useEffect(() => {
    if (!comments) return;
    const previousId = newestId.current;
    const lastComment = comments.at(-1);
    newestId.current = lastComment?.id ?? 0;
    if (previousId === null || !lastComment || lastComment.id <= previousId || lastComment.account_id === accountId) return;
    announce(t("announceComment", { name: lastComment.account.username, text: lastComment.body }));
  }, [comments, accountId]);
  const previousFailedCount = useRef(failedCount);
  useEffect(() => {
    if (failedCount > previousFailedCount.current) announce(t("announceFailed"));
    previousFailedCount.current = failedCount;
  }, [failedCount]);
}
