/** Posts messages that show a comment, and republishes them when the comment changes. */
import type { Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { redactMessage } from "../../events/unsay.ts";
import { presentMessage } from "../../presenters/messages.ts";
import type { Actor } from "../access.ts";
import type { DomainDeps } from "../deps.ts";
import { loadMessageView, type MessageView } from "./sent.ts";
import { createMessage } from "./writing.ts";

/** Every method requires that the caller has locked the project's topic. */
export function createCommentMessages(deps: DomainDeps) {
  const { events, present } = deps;
  return {
    shareComment: (tx: Tx, actor: Actor, input: { projectId: number; commentId: number; body: string }): Promise<number> =>
      createMessage(tx, deps, actor, { ...input, parent: null, clientId: null, requestHash: null, attachmentIds: [], isAudioMessage: false }),

    async republish(tx: Tx, projectId: number, commentId: number): Promise<void> {
      const updatedMessages = await tx
        .updateTable("messages")
        .set((eb) => ({ revision: eb("revision", "+", 1) }))
        .where("comment_id", "=", commentId)
        .where("deleted_at", "is", null)
        .returning(["id", "parent_id"])
        .execute();
      for (const { id, parent_id } of updatedMessages) {
        const payload = presentMessage(await loadMessageView(tx, present, projectId, id));
        await redactMessage(tx, payload);
        await events.append(tx, topicOf.project(projectId), "message.updated", payload, { messageId: id, quotedId: parent_id });
      }
    },

    message: (tx: Tx, projectId: number, messageId: number): Promise<MessageView> => loadMessageView(tx, present, projectId, messageId),
  };
}
