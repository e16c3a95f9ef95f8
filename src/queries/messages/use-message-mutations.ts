/** Changes messages: a change shows at once, as an overlay over the loaded messages, until the service responds. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Message } from "../../../contract/records.ts";
import * as api from "../../api/messages.ts";
import { clearDeletion, recordDeletion } from "../../sync/undoable-deletions.ts";
import { performChange } from "../pending-changes.ts";
import { projectQueries } from "../projects.ts";
import { upsertCachedMessage } from "./cache-updates.ts";
import { getPendingMessageChanges, type PendingMessageChange } from "./pending-changes.ts";
import { applyReadMarker } from "./read-state.ts";

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
        client.setQueryData(
          projectQueries.all().queryKey,
          (projects) => projects && (applyReadMarker(projects, marker, { canMoveBack: true }) as typeof projects),
        );
      },
    };
  }, [client, projectId, accountId]);
}

const perform = (client: QueryClient, change: PendingMessageChange, send: () => Promise<Message>): Promise<Message> =>
  performChange(getPendingMessageChanges(client), { recordId: change.messageId, change, send, upsert: (message) => upsertCachedMessage(client, message) });
