/** Changes messages: a change shows at once, as an overlay over the loaded messages, until the service responds. */
import { useMemo } from "react";
import * as operations from "../../../contract/operations/messages.ts";
import type { Message } from "../../../contract/records.ts";
import { useClient } from "../../client/client.ts";
import { patchProjects } from "../projects.ts";
import { upsertCachedMessage } from "./cache-updates.ts";
import type { PendingMessageChange } from "./pending-changes.ts";
import { applyReadMarker } from "./read-state.ts";

/** Returns the actions on a project's messages; each rejects with the service's error. */
export function useMessageMutations(projectId: number, accountId: number) {
  const client = useClient();
  return useMemo(() => {
    const { api, undoableDeletions } = client;
    const messageParams = (messageId: number) => ({ params: { project_id: projectId, message_id: messageId } });
    const perform = (change: PendingMessageChange, send: () => Promise<Message>) =>
      client.queryState.pendingMessageChanges.perform(change, send, (message) => upsertCachedMessage(client, message));
    return {
      edit: (messageId: number, body: string) =>
        perform({ kind: "body", recordId: messageId, body }, () => api.data(operations.editMessage, { ...messageParams(messageId), body: { body } })),
      async remove(messageId: number) {
        undoableDeletions.record(accountId, messageId);
        try {
          await perform({ kind: "deleted", recordId: messageId, deleted: true }, () => api.data(operations.deleteMessage, messageParams(messageId)));
        } catch (error) {
          undoableDeletions.remove(accountId, messageId);
          throw error;
        }
      },
      async restore(messageId: number) {
        await perform({ kind: "deleted", recordId: messageId, deleted: false }, () => api.data(operations.restoreMessage, messageParams(messageId)));
        undoableDeletions.remove(accountId, messageId);
      },
      react: (messageId: number, emoji: string, on: boolean) =>
        perform({ kind: "reaction", recordId: messageId, emoji, accountId, on }, () =>
          api.data(on ? operations.addReaction : operations.removeReaction, { params: { project_id: projectId, message_id: messageId, emoji } }),
        ),
      async markUnread(messageId: number) {
        const marker = await api.data(operations.markUnread, { params: { project_id: projectId }, body: { message_id: messageId } });
        patchProjects(client, (projects) => applyReadMarker(projects, marker, { canMoveBack: true }));
      },
    };
  }, [client, projectId, accountId]);
}
