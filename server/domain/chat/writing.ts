/** Creates a message with its attachments, mentions, search index entry and event. */
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { presentMessage } from "../../presenters/messages.ts";
import type { Actor } from "../access.ts";
import { attach, assertAudioAttachment } from "../attachments.ts";
import type { DomainDeps } from "../deps.ts";
import { storeMentions } from "./mentions.ts";
import { insertMessage } from "./repository.ts";
import { indexMessage } from "./search-index.ts";
import { loadMessageView } from "./sent.ts";

export interface NewMessage {
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
export async function createMessage(tx: Tx, { database, events, clock, present }: DomainDeps, actor: Actor, input: NewMessage): Promise<number> {
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
