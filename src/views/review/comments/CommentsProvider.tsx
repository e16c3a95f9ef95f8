/** Provides the comments of one file, with the user's draft, selection and actions, to their timeline, list and composer. */
import { createContext, type ReactNode, use, useCallback, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import type { Comment } from "../../../../contract/comment-records.ts";
import { useFailureAnnouncements } from "../../../components/message-text/action-notices.ts";
import { hasRecordedPosition } from "../../../lib/recorded-position.ts";
import { t } from "../../../lib/texts/comments.ts";
import { accessibleName, useAgentIds } from "../../../queries/agents/agent-accounts.ts";
import { isInaccessible } from "../../../queries/describe-error.ts";
import { usePeople } from "../../../queries/members.ts";
import { can, useCurrentUser } from "../../../queries/permissions.ts";
import { useSession } from "../../../queries/session.ts";
import { toEditableText } from "../../../sync/drafts/draft-text.ts";
import type { OutboxEntry } from "../../../sync/outbox/outbox-types.ts";
import { announce } from "../../../ui/announce.ts";
import { parsePosition } from "../file-info.ts";
import type { CommentPlayback } from "./playback.ts";
import type { CommentItem } from "./threads.ts";
import { useCommentActions } from "./use-comment-actions.ts";
import { useComposer } from "./use-composer.ts";
import { type CommentedFile, useListState, useThreads } from "./use-threads.ts";

export type FileComments = ReturnType<typeof useFileCommentsState>;

const FileCommentsContext = createContext<FileComments | null>(null);

export function CommentsProvider({ children, ...file }: CommentedFile & { children: ReactNode }) {
  const comments = useFileCommentsState(file);
  const isUnsupported = comments.threads === undefined && isInaccessible(comments.error);
  return <FileCommentsContext value={isUnsupported ? null : comments}>{children}</FileCommentsContext>;
}

/** Returns null if the service does not support comments. */
export const useOptionalFileComments = (): FileComments | null => use(FileCommentsContext);

export function useFileComments(): FileComments {
  const value = use(FileCommentsContext);
  if (!value) throw new Error("Comments need a CommentsProvider");
  return value;
}

function useFileCommentsState(file: CommentedFile) {
  const { id: accountId } = useSession().account;
  const people = usePeople(file.projectId);
  const listState = useListState(file.fileId);
  const list = useThreads(file, accountId, listState);
  const composer = useComposer(file, accountId);
  const nameOf = useCallback((id: number) => people(id)?.name ?? t("formerMember"), [people]);
  const actions = useCommentActions(file, accountId, list, listState, composer.restoreDraft, nameOf);
  useFollowCommentLink(list, listState, file.playback);
  useCommentAnnouncements(list.comments, list.pending, accountId, nameOf);
  return {
    ...file,
    ...listState,
    ...list,
    ...composer,
    /** False in an archived project. */
    canWrite: can(useCurrentUser(), "comment.write"),
    actions,
    nameOf,
    personOf: useCallback(
      ({ accountId: id, comment }: CommentItem) => people(id) ?? { name: comment?.account.username ?? t("formerMember"), avatarUrl: null },
      [people],
    ),
    send: (body: string) => listState.select(composer.send(body)),
  };
}

/** Follows each link to a comment only once, so that later user actions are not overridden: selects and reveals the comment, and seeks to it. */
function useFollowCommentLink(
  { linkedCommentId, linkedThread, keepVisible }: ReturnType<typeof useThreads>,
  { select, reveal }: ReturnType<typeof useListState>,
  playback: CommentPlayback | null,
): void {
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
}

/** Announces new comments by other people and failed sends to screen readers. */
function useCommentAnnouncements(
  comments: readonly Comment[] | undefined,
  pending: readonly OutboxEntry[],
  accountId: number,
  nameOf: (id: number) => string,
): void {
  const newestId = useRef<number | null>(null);
  const agentIds = useAgentIds();
  useEffect(() => {
    if (!comments) return;
    const previousId = newestId.current;
    const lastComment = comments.at(-1);
    newestId.current = lastComment?.id ?? 0;
    if (previousId === null || !lastComment || lastComment.id <= previousId || lastComment.account_id === accountId) return;
    const { text } = toEditableText(lastComment.body, lastComment.mentions ?? [], nameOf);
    announce(t("announceComment", { name: accessibleName(lastComment.account.username, agentIds.has(lastComment.account_id)), text }));
  }, [comments, accountId, agentIds, nameOf]);
  useFailureAnnouncements(pending, t("announceFailed"));
}
