/** Messages that show a comment: written like any other, and told again when the comment becomes another one. */
import type { Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { unsay } from "../../events/unsay.ts";
import { presentMessage } from "../../presenters/messages.ts";
import type { Actor } from "../access.ts";
import type { DomainDeps } from "../deps.ts";
import { sentMessage, type SentMessage } from "./sent.ts";
import { writeMessage } from "./writing.ts";

/** In all of them the project's topic is locked. */
export function createCommentMessages(deps: DomainDeps) {
  const { events, present } = deps;
  return {
    show: (tx: Tx, actor: Actor, wish: { projectId: number; commentId: number; body: string }): Promise<number> =>
      writeMessage(tx, deps, actor, { ...wish, parent: null, clientId: null, requestHash: null, attachmentIds: [], isAudioMessage: false }),

    async retell(tx: Tx, projectId: number, commentId: number): Promise<void> {
      const shown = await tx
        .updateTable("messages")
        .set((eb) => ({ revision: eb("revision", "+", 1) }))
        .where("comment_id", "=", commentId)
        .where("deleted_at", "is", null)
        .returning(["id", "parent_id"])
        .execute();
      for (const { id, parent_id } of shown) {
        const told = presentMessage(await sentMessage(tx, present, projectId, id));
        await unsay(tx, told);
        await events.append(tx, topicOf.project(projectId), "message.updated", told, { messageId: id, quotedId: parent_id });
      }
    },

    message: (tx: Tx, projectId: number, messageId: number): Promise<SentMessage> => sentMessage(tx, present, projectId, messageId),
  };
}
