/** Creates messages with their attachments, mentions, search index entry and event, among them those that show a comment. */
import type { Actor } from "../../access/access.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { assertAudioAttachment, attach } from "../files/attachments.ts";
import type { FileViewDeps } from "../files/deps.ts";
import { storeMentions } from "./mentions.ts";
import { presentMessage } from "./message-presenter.ts";
import { insertMessage } from "./message-repository.ts";
import { indexMessage } from "./message-search.ts";
import { loadMessageView, type MessageView } from "./message-view.ts";
import { redactMessage } from "./redact.ts";

interface NewMessage {
  projectId: number;
  body: string;
  parent: Pick<Row<"messages">, "id" | "account_id"> | null;
  clientId: string | null;
  requestHash: string | null;
  attachmentIds: number[];
  isAudioMessage: boolean;
  /** The comment that the message shows. */
  commentId: number | null;
}

/** The caller must have locked the project's topic. */
export async function createMessage(tx: Tx, { database, events, clock, present }: FileViewDeps, actor: Actor, input: NewMessage): Promise<number> {
  const row = await insertMessage(tx, {
    project_id: input.projectId,
    account_id: actor.accountId,
    body: input.body,
    type: "message",
    is_audio_message: input.isAudioMessage ? 1 : 0,
    parent_id: input.parent?.id ?? null,
    parent_account_id: input.parent?.account_id ?? null,
    client_id: input.clientId,
    request_hash: input.requestHash,
    revision: 1,
    created_at: clock.now(),
    comment_id: input.commentId,
  });
  await attach(tx, input.projectId, row.id, input.attachmentIds);
  if (input.isAudioMessage) await assertAudioAttachment(tx, row.id);
  // The body of a shared comment is a file name and a time, so text that looks like a mention is not one.
  if (input.commentId === null) await storeMentions(tx, row, input.body);
  await indexMessage(tx, database.engine, row, input.attachmentIds.length > 0);
  const messageView = await loadMessageView(tx, present, input.projectId, row.id);
  await events.append(tx, topicOf.project(input.projectId), "message.created", presentMessage(messageView), { messageId: row.id, quotedId: row.parent_id });
  return row.id;
}

/** Posts messages that show a comment, and republishes them when the comment changes. The caller of each method must have locked the project's topic. */
export function createCommentMessages(deps: FileViewDeps) {
  const { events, present } = deps;
  return {
    /** Posts a message that shows the comment, and returns its id. */
    post: (tx: Tx, actor: Actor, input: { projectId: number; commentId: number; body: string }): Promise<number> =>
      createMessage(tx, deps, actor, { ...input, parent: null, clientId: null, requestHash: null, attachmentIds: [], isAudioMessage: false }),

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
