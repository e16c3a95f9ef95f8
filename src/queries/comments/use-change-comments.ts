import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Comment } from "../../../contract/comment-records.ts";
import type { Message } from "../../../contract/records.ts";
import * as api from "../../api/comments.ts";
import { now } from "../../lib/clock.ts";
import { upsertCachedMessage } from "../messages/cache.ts";
import { getPendingCommentChanges, type PendingCommentChange } from "./changes.ts";
import { upsertComment } from "./put.ts";

/** Shows a change at once; reverts it and rejects when the service refuses. */
async function perform(client: QueryClient, change: PendingCommentChange, run: () => Promise<Comment>): Promise<Comment> {
  const changes = getPendingCommentChanges(client);
  const undo = changes.add(change);
  try {
    const comment = await changes.runInOrder(change.commentId, run);
    upsertComment(client, comment);
    return comment;
  } finally {
    undo();
  }
}

/** Returns the actions on comments; each rejects with the service's error. */
export function useCommentMutations(accountId: number) {
  const client = useQueryClient();
  return useMemo(
    () => ({
      edit: (commentId: number, body: string) => perform(client, { kind: "body", commentId, body }, () => api.updateComment(commentId, { body })),
      resolve: (commentId: number, resolved: boolean) =>
        perform(client, { kind: "resolved", commentId, by: accountId, at: resolved ? new Date(now()).toISOString() : null }, () =>
          api.updateComment(commentId, { resolved }),
        ),
      remove: (commentId: number) => perform(client, { kind: "deleted", commentId, deleted: true }, () => api.deleteComment(commentId)),
      restore: (commentId: number) => perform(client, { kind: "deleted", commentId, deleted: false }, () => api.restoreComment(commentId)),
      async showInChat(commentId: number): Promise<Message> {
        const message = await api.showComment(commentId);
        upsertCachedMessage(client, message);
        return message;
      },
    }),
    [client, accountId],
  );
}
