import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useConnection } from "../live/connection.ts";
import type { OutboxEntry } from "../outbox/outbox.ts";
import { getOutbox } from "../outbox/outbox-of.ts";
import { useOwnEntries } from "../outbox/use-outbox.ts";
import { applyCommentChanges, getPendingCommentChanges } from "./changes.ts";
import { commentQueries } from "./options.ts";

/** Returns a file's comments with pending changes applied, and the user's unsent comments in the order of writing. */
export function useComments(fileId: number, projectId: number) {
  const client = useQueryClient();
  const { state } = useConnection();
  const { data, error, refetch } = useQuery(commentQueries.file(fileId, projectId, state === "live"));
  const pendingChanges = getPendingCommentChanges(client);
  const changeList = useSyncExternalStore(pendingChanges.onChange, pendingChanges.all);
  const comments = useMemo(() => (data ? applyCommentChanges(data.comments, changeList) : undefined), [data, changeList]);
  const pending = usePendingComments(fileId);
  const outbox = getOutbox(client);

  // The service already has the comment, although its response was lost or a resend was rejected as a duplicate, so nothing is pending.
  useEffect(() => {
    if (pending.length === 0 || !data) return;
    const storedKeys = new Set(data.comments.map(({ client_id, account_id }) => `${account_id} ${client_id}`));
    for (const { clientId, accountId, state: entryState } of pending)
      if (entryState !== "sending" && storedKeys.has(`${accountId} ${clientId}`)) outbox.markDelivered(clientId);
  }, [outbox, pending, data]);
  return { comments, lastRead: data?.lastRead ?? 0, pending, error, refetch };
}

/** Returns the user's comments on a file that the service does not have yet. */
export function usePendingComments(fileId: number): readonly OutboxEntry[] {
  const all = useOwnEntries();
  return useMemo(() => all.filter(({ comment }) => comment?.fileId === fileId), [all, fileId]);
}

/** Returns the outbox that sends, retries and discards pending comments. */
export function useCommentOutbox() {
  return getOutbox(useQueryClient());
}
