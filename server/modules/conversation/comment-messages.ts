/** Messages that show a comment: posts them, and republishes them when the comment changes. */
import type { Actor } from "../../access/access.ts";
import type { Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import type { FileViewDeps } from "../files/deps.ts";
import { createMessage } from "./chat.ts";
import { loadMessageView, presentMessage, type MessageView } from "./message-view.ts";
import { redactMessage } from "./redact.ts";

/** The caller of each method must have locked the project's topic. */
export function createCommentMessages(deps: FileViewDeps) {
  const { events, present } = deps;
  return {
    /** Posts a message that shows the comment, and returns its id. */
    async post(tx: Tx, actor: Actor, input: { projectId: number; commentId: number; body: string }): Promise<number> {
      const message = { ...input, parent: null, clientId: null, requestHash: null, attachmentIds: [], playlistId: null, isAudioMessage: false };
      return (await createMessage(tx, deps, actor, message)).row.id;
    },

    /** Publishes an update of each message that shows the comment. */
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

    load: (tx: Tx, projectId: number, messageId: number): Promise<MessageView> => loadMessageView(tx, present, projectId, messageId),
  };
}

export type CommentMessages = ReturnType<typeof createCommentMessages>;
