/** Queries a file's comments, changes them and marks them as read; changes show at once, as an overlay over the loaded comments. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { Comment } from "../../../contract/comment-records.ts";
import * as operations from "../../../contract/operations/comments.ts";
import type { Message } from "../../../contract/records.ts";
import { type ClientData, useClient } from "../../client/client.ts";
import { useStore } from "../../lib/store.ts";
import { useConnection } from "../../sync/live/use-connection.ts";
import type { OutboxEntry } from "../../sync/outbox/outbox-types.ts";
import { useOwnEntries } from "../../sync/outbox/use-outbox.ts";
import { upsertCachedMessage } from "../messages/cache-updates.ts";
import { useSendNewestSeen } from "../use-send-newest-seen.ts";
import { applyChanges } from "../pending-changes.ts";
import { loadUntilSuccess } from "../query-client.ts";
import { applyCommentsRead, upsertComment } from "./cache-updates.ts";
import { commentKeys, type FileComments, mergeReloaded } from "./comment-list.ts";

/** Polling interval while the live channel is down. */
const POLL_INTERVAL_MS = 5_000;

/** A change that is applied over the loaded comments until the service responds, so that undoing it only removes it. */
export type PendingCommentChange =
  | { kind: "body"; recordId: number; body: string }
  | { kind: "deleted"; recordId: number; deleted: boolean }
  | { kind: "resolved"; recordId: number; by: number; at: string | null };

/** Comments are loaded once; the live channel keeps them current. */
export const commentQueries = {
  /** `isLive`: the live channel reports every change, so polling is off. */
  file: (fileId: number, projectId: number, isLive: boolean) =>
    queryOptions({
      queryKey: commentKeys.file(fileId),
      queryFn: ({ signal, meta }) => {
        const { client } = meta!;
        const run = () => client.queryState.loads.loadWithChanges(commentKeys.file(fileId), () => loadComments(client, fileId, projectId, signal));
        return client.queryClient.getQueryData(commentKeys.file(fileId)) === undefined ? run() : loadUntilSuccess(run, signal);
      },
      staleTime: Number.POSITIVE_INFINITY,
      structuralSharing: false,
      refetchInterval: isLive ? false : POLL_INTERVAL_MS,
    }),
};

/** Returns a file's comments with pending changes applied, and the user's unsent comments in the order of writing. */
export function useComments(fileId: number, projectId: number) {
  const client = useClient();
  const { state } = useConnection();
  const { data, error, refetch } = useQuery(commentQueries.file(fileId, projectId, state === "live"));
  const changeList = useStore(client.queryState.pendingCommentChanges);
  const comments = useMemo(() => (data ? applyCommentChanges(data.comments, changeList) : undefined), [data, changeList]);
  const pending = usePendingComments(fileId);
  const { outbox } = client;

  // Marks entries as delivered whose comment is loaded: the service has it, although the response was lost or a resend was rejected as a duplicate.
  useEffect(() => {
    if (pending.length === 0 || !data) return;
    const storedKeys = new Set(data.comments.map(({ client_id, account_id }) => `${account_id} ${client_id}`));
    for (const { clientId, accountId, state: entryState } of pending)
      if (entryState !== "sending" && storedKeys.has(`${accountId} ${clientId}`)) outbox.markDelivered(clientId);
  }, [outbox, pending, data]);
  return { comments, lastReadId: data?.lastReadId ?? 0, pending, error, refetch };
}

/** Returns the user's comments on a file that the service does not have yet. */
export function usePendingComments(fileId: number): readonly OutboxEntry[] {
  const all = useOwnEntries();
  return useMemo(() => all.filter(({ comment }) => comment?.fileId === fileId), [all, fileId]);
}

/** Returns the actions on comments; each rejects with the service's error. */
export function useCommentMutations(accountId: number) {
  const client = useClient();
  return useMemo(() => {
    const { api, clock } = client;
    const perform = (change: PendingCommentChange, send: () => Promise<Comment>) =>
      client.queryState.pendingCommentChanges.perform(change, send, (comment) => upsertComment(client, comment));
    const commentParams = (comment_id: number) => ({ params: { comment_id } });
    return {
      edit: (commentId: number, body: string) =>
        perform({ kind: "body", recordId: commentId, body }, () => api.data(operations.updateComment, { ...commentParams(commentId), body: { body } })),
      resolve: (commentId: number, resolved: boolean) =>
        perform({ kind: "resolved", recordId: commentId, by: accountId, at: resolved ? new Date(clock.now()).toISOString() : null }, () =>
          api.data(operations.updateComment, { ...commentParams(commentId), body: { resolved } }),
        ),
      remove: (commentId: number) =>
        perform({ kind: "deleted", recordId: commentId, deleted: true }, () => api.data(operations.deleteComment, commentParams(commentId))),
      restore: (commentId: number) =>
        perform({ kind: "deleted", recordId: commentId, deleted: false }, () => api.data(operations.restoreComment, commentParams(commentId))),
      /** Returns the message in the project's chat. */
      async postInChat(commentId: number): Promise<Message> {
        const message = await api.data(operations.showComment, commentParams(commentId));
        upsertCachedMessage(client, message);
        return message;
      },
    };
  }, [client, accountId]);
}

/** Marks comments as read up to `seenId`, the newest that was really seen. */
export function useMarkCommentsRead(fileId: number, lastReadId: number, seenId: number | null): void {
  const client = useClient();
  useSendNewestSeen({
    lastReadId,
    seenId,
    send: (id) => client.api.data(operations.markCommentsRead, { params: { file_id: fileId }, body: { last_comment_id: id } }),
    onSent: (read) => applyCommentsRead(client, read),
  });
}

async function loadComments(client: ClientData, fileId: number, projectId: number, signal: AbortSignal): Promise<FileComments> {
  const comments: Comment[] = [];
  let oldestSeq: number | undefined;
  let lastReadId = 0;
  for (let hasMore = true; hasMore;) {
    const page = await client.api.call(operations.listComments, { params: { file_id: fileId }, query: { after_id: comments.at(-1)?.id } }, { signal });
    comments.push(...page.data);
    oldestSeq ??= page.seq;
    lastReadId = page.last_read_comment_id;
    hasMore = page.has_more && page.data.length > 0;
  }
  // The live channel replays later events onto the data returned here.
  client.queryState.cursors.recordSnapshot(`project:${projectId}`, oldestSeq);
  return mergeReloaded(client.queryClient.getQueryData<FileComments>(commentKeys.file(fileId)), { comments, lastReadId });
}

/** Returns the comments with pending changes applied; the same array when nothing differs. */
export const applyCommentChanges = (comments: readonly Comment[], changes: readonly PendingCommentChange[]): readonly Comment[] =>
  applyChanges(comments, changes, applyChange);

function applyChange(comment: Comment, change: PendingCommentChange): Comment {
  // Deletion dropped the text, which only the response to the restore brings back.
  if (change.kind === "deleted") return !change.deleted && comment.body === "" ? comment : { ...comment, deleted: change.deleted };
  // A comment that was deleted meanwhile stays deleted.
  if (comment.deleted) return comment;
  if (change.kind === "body")
    return comment.body === change.body ? comment : { ...comment, body: change.body, edited_at: comment.edited_at ?? comment.created_at };
  if ((comment.resolved_at === null) === (change.at === null)) return comment;
  return { ...comment, resolved_at: change.at, resolved_by_account_id: change.at === null ? null : change.by };
}
