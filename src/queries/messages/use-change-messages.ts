import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useSyncExternalStore } from "react";
import * as api from "../../api/message-changes.ts";
import type { Message } from "../../../contract/records.ts";
import { projectQueries } from "../projects/options.ts";
import { setRead } from "../projects/unread.ts";
import { putMessage } from "./cache.ts";
import { applyChanges, changesOf, type Change } from "./changes.ts";
import { noteDeleted, noteRestored } from "./deleted-here.ts";
import type { History } from "./history.ts";

/** A stretch as its reader sees it: with what was changed here and is not answered yet. */
export function useShown(history: History | undefined): History | undefined {
  const changes = changesOf(useQueryClient());
  const all = useSyncExternalStore(changes.onChange, changes.all);
  return useMemo(() => {
    if (!history) return history;
    const messages = applyChanges(history.messages, all);
    return messages === history.messages ? history : { ...history, messages };
  }, [history, all]);
}

/** Shown at once, and taken back when the service refuses; then it rejects. */
async function perform(client: QueryClient, change: Change, run: () => Promise<Message>): Promise<Message> {
  const changes = changesOf(client);
  const takeBack = changes.add(change);
  try {
    const message = await changes.inTurn(change.messageId, run);
    putMessage(client, message);
    return message;
  } finally {
    takeBack();
  }
}

/** What may be done with the messages of a project. Each rejects with what the service said. */
export function useChangeMessages(projectId: number, accountId: number) {
  const client = useQueryClient();
  return useMemo(() => {
    const at = (messageId: number) => ({ project_id: projectId, message_id: messageId });
    return {
      edit: (messageId: number, body: string) => perform(client, { kind: "body", messageId, body }, () => api.editMessage(at(messageId), body)),
      async remove(messageId: number) {
        noteDeleted(client, accountId, messageId);
        try {
          await perform(client, { kind: "deleted", messageId, deleted: true }, () => api.deleteMessage(at(messageId)));
        } catch (error) {
          noteRestored(client, accountId, messageId);
          throw error;
        }
      },
      async restore(messageId: number) {
        await perform(client, { kind: "deleted", messageId, deleted: false }, () => api.restoreMessage(at(messageId)));
        noteRestored(client, accountId, messageId);
      },
      react: (messageId: number, emoji: string, on: boolean) =>
        perform(client, { kind: "reaction", messageId, emoji, accountId, on }, () => (on ? api.addReaction : api.removeReaction)({ ...at(messageId), emoji })),
      async markUnread(messageId: number) {
        const marker = await api.markUnread(at(messageId));
        client.setQueryData(projectQueries.all().queryKey, (projects) => projects && (setRead(projects, marker, { back: true }) as typeof projects));
      },
    };
  }, [client, projectId, accountId]);
}

/** Finds the first message at or after a moment; rejects where there is none. */
export function useFirstSince(projectId: number): (since: Date) => Promise<Message> {
  return useCallback((since) => api.firstMessage(projectId, since.toISOString()), [projectId]);
}
