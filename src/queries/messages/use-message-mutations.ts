/** Changes messages: a change shows at once, as an overlay over the loaded messages, until the service responds. */
import { useMemo } from "react";
import type { Message } from "../../../contract/records.ts";
import { type Client, useClient } from "../../client/client.ts";
import * as api from "../../api/messages.ts";
import { performChange } from "../pending-changes.ts";
import { projectQueries } from "../projects.ts";
import { upsertCachedMessage } from "./cache-updates.ts";
import type { PendingMessageChange } from "./pending-changes.ts";
import { applyReadMarker } from "./read-state.ts";

/** Returns the actions on a project's messages; each rejects with the service's error. */
export function useMessageMutations(projectId: number, accountId: number) {
  const client = useClient();
  return useMemo(() => {
    const messageParams = (messageId: number) => ({ project_id: projectId, message_id: messageId });
    return {
      edit: (messageId: number, body: string) =>
        perform(client, { kind: "body", messageId, body }, () => api.editMessage(client.api, messageParams(messageId), body)),
      async remove(messageId: number) {
        client.undoableDeletions.record(accountId, messageId);
        try {
          await perform(client, { kind: "deleted", messageId, deleted: true }, () => api.deleteMessage(client.api, messageParams(messageId)));
        } catch (error) {
          client.undoableDeletions.remove(accountId, messageId);
          throw error;
        }
      },
      async restore(messageId: number) {
        await perform(client, { kind: "deleted", messageId, deleted: false }, () => api.restoreMessage(client.api, messageParams(messageId)));
        client.undoableDeletions.remove(accountId, messageId);
      },
      react: (messageId: number, emoji: string, on: boolean) =>
        perform(client, { kind: "reaction", messageId, emoji, accountId, on }, () =>
          (on ? api.addReaction : api.removeReaction)(client.api, { ...messageParams(messageId), emoji }),
        ),
      async markUnread(messageId: number) {
        const marker = await api.markUnread(client.api, messageParams(messageId));
        client.queryClient.setQueryData(
          projectQueries.all().queryKey,
          (projects) => projects && (applyReadMarker(projects, marker, { canMoveBack: true }) as typeof projects),
        );
      },
    };
  }, [client, projectId, accountId]);
}

const perform = (client: Client, change: PendingMessageChange, send: () => Promise<Message>): Promise<Message> =>
  performChange(client.pendingMessageChanges, { recordId: change.messageId, change, send, upsert: (message) => upsertCachedMessage(client, message) });
