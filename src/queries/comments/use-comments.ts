import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useConnection } from "../live/connection.ts";
import type { OutboxEntry } from "../outbox/outbox.ts";
import { getOutbox } from "../outbox/outbox-of.ts";
import { useOwnEntries } from "../outbox/use-outbox.ts";
import { applyCommentChanges, getPendingCommentChanges } from "./changes.ts";
import { commentQueries } from "./options.ts";

/** A file's comments as their reader sees them, and what of this person's is not with the service yet, in the order of writing. */
export function useComments(fileId: number, projectId: number) {
  const client = useQueryClient();
  const { state } = useConnection();
  const { data, error, refetch } = useQuery(commentQueries.file(fileId, projectId, state === "live"));
  const pendingChanges = getPendingCommentChanges(client);
  const changeList = useSyncExternalStore(pendingChanges.onChange, pendingChanges.all);
  const comments = useMemo(() => (data ? applyCommentChanges(data.comments, changeList) : undefined), [data, changeList]);
  const pending = usePendingComments(fileId);
  const outbox = getOutbox(client);

  // Its answer was lost, or it was refused because it is there already: nothing waits any more.
  useEffect(() => {
    if (pending.length === 0 || !data) return;
    const storedKeys = new Set(data.comments.map(({ client_id, account_id }) => `${account_id} ${client_id}`));
    for (const { clientId, accountId, state: entryState } of pending)
      if (entryState !== "sending" && storedKeys.has(`${accountId} ${clientId}`)) outbox.markDelivered(clientId);
  }, [outbox, pending, data]);
  return { comments, lastRead: data?.lastRead ?? 0, pending, error, refetch };
}

/** What this person has written about a file and the service does not have. */
export function usePendingComments(fileId: number): readonly OutboxEntry[] {
  const all = useOwnEntries();
  return useMemo(() => all.filter(({ comment }) => comment?.fileId === fileId), [all, fileId]);
}

/** What can be done with those. */
export function useCommentOutbox() {
  return getOutbox(useQueryClient());
}
