import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import type { Message } from "../../../contract/records.ts";
import { moveReadMarker } from "../../api/chat.ts";
import * as api from "../../api/message-changes.ts";
import { useConnection } from "../../sync/live/use-connection.ts";
import { clearDeletion, recordDeletion } from "../../sync/undoable-deletions.ts";
import { projectQueries } from "../projects.ts";
import type { History } from "./history.ts";
import { upsertCachedMessage } from "./message-cache.ts";
import { applyChanges, getPendingChanges, type PendingChange } from "./pending-changes.ts";
import { applyReadMarker, viewedProjectIds } from "./read-state.ts";

/** Returns a window with the user's pending changes applied. */
export function useOptimisticHistory(history: History | undefined): History | undefined {
  const changes = getPendingChanges(useQueryClient());
  const pending = useSyncExternalStore(changes.onChange, changes.all);
  return useMemo(() => {
    if (!history) return history;
    const messages = applyChanges(history.messages, pending);
    return messages === history.messages ? history : { ...history, messages };
  }, [history, pending]);
}

/** Returns the actions on a project's messages; each rejects with the service's error. */
export function useMessageMutations(projectId: number, accountId: number) {
  const client = useQueryClient();
  return useMemo(() => {
    const messageParams = (messageId: number) => ({ project_id: projectId, message_id: messageId });
    return {
      edit: (messageId: number, body: string) => perform(client, { kind: "body", messageId, body }, () => api.editMessage(messageParams(messageId), body)),
      async remove(messageId: number) {
        recordDeletion(client, accountId, messageId);
        try {
          await perform(client, { kind: "deleted", messageId, deleted: true }, () => api.deleteMessage(messageParams(messageId)));
        } catch (error) {
          clearDeletion(client, accountId, messageId);
          throw error;
        }
      },
      async restore(messageId: number) {
        await perform(client, { kind: "deleted", messageId, deleted: false }, () => api.restoreMessage(messageParams(messageId)));
        clearDeletion(client, accountId, messageId);
      },
      react: (messageId: number, emoji: string, on: boolean) =>
        perform(client, { kind: "reaction", messageId, emoji, accountId, on }, () =>
          (on ? api.addReaction : api.removeReaction)({ ...messageParams(messageId), emoji }),
        ),
      async markUnread(messageId: number) {
        const marker = await api.markUnread(messageParams(messageId));
        client.setQueryData(projectQueries.all().queryKey, (projects) => projects && (applyReadMarker(projects, marker, { back: true }) as typeof projects));
      },
    };
  }, [client, projectId, accountId]);
}

/** Finds the first message at or after a point in time; rejects when there is none. */
export function useFindFirstMessageSince(projectId: number): (since: Date) => Promise<Message> {
  return useCallback((since) => api.firstMessage(projectId, since.toISOString()), [projectId]);
}

/**
 * Moves the read marker to the newest message once it was really seen. It sends one request at a time, always for the newest message, and
 * retries a failed one when something newer is seen or the connection changes.
 */
export function useReadMarker(projectId: number, lastReadId: number | null, seenId: number | null): void {
  const client = useQueryClient();
  const { state } = useConnection();
  const failedAttempt = useRef<string | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: (messageId: number) => moveReadMarker(projectId, messageId),
    onSuccess: (marker) => client.setQueryData(projectQueries.all().queryKey, (projects) => projects && (applyReadMarker(projects, marker) as typeof projects)),
  });

  useEffect(() => {
    if (seenId === null) return;
    viewedProjectIds.add(projectId);
    return () => void viewedProjectIds.delete(projectId);
  }, [projectId, seenId]);

  useEffect(() => {
    if (seenId === null || isPending || seenId <= (lastReadId ?? 0)) return;
    const attempt = `${seenId} ${state}`;
    if (failedAttempt.current === attempt) return;
    mutate(seenId, { onError: () => (failedAttempt.current = attempt) });
  }, [seenId, lastReadId, isPending, state, mutate]);
}

/** Shows a change at once; reverts it and rejects when the service refuses. */
async function perform(client: QueryClient, change: PendingChange, run: () => Promise<Message>): Promise<Message> {
  const changes = getPendingChanges(client);
  const undo = changes.add(change);
  try {
    const message = await changes.runInOrder(change.messageId, run);
    upsertCachedMessage(client, message);
    return message;
  } finally {
    undo();
  }
}
