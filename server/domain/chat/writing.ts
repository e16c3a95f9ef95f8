/** How a message comes to be, whoever asks for it: row, what it carries, whom it mentions, search index and event. */
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { presentMessage } from "../../presenters/messages.ts";
import type { Actor } from "../access.ts";
import { attach, expectSound } from "../attachments.ts";
import type { DomainDeps } from "../deps.ts";
import { storeMentions } from "./mentions.ts";
import { insertMessage } from "./repository.ts";
import { indexMessage } from "./search-index.ts";
import { sentMessage } from "./sent.ts";

export interface NewMessage {
  projectId: number;
  body: string;
  parent: Pick<Row<"messages">, "id" | "account_id"> | null;
  clientId: string | null;
  requestHash: string | null;
  attachmentIds: number[];
  isAudioMessage: boolean;
  /** The comment that it shows. */
  commentId: number | null;
}

/** The project's topic must be locked. */
export async function writeMessage(tx: Tx, { database, events, clock, present }: DomainDeps, actor: Actor, wish: NewMessage): Promise<number> {
  const row = await insertMessage(tx, {
    project_id: wish.projectId,
    account_id: actor.accountId,
    body: wish.body,
    type: "message",
    is_audio_message: wish.isAudioMessage ? 1 : 0,
    parent_id: wish.parent?.id ?? null,
    parent_account_id: wish.parent?.account_id ?? null,
    client_id: wish.clientId,
    request_hash: wish.requestHash,
    revision: 1,
    created_at: clock.now(),
    comment_id: wish.commentId,
  });
  await attach(tx, wish.projectId, row.id, wish.attachmentIds);
  if (wish.isAudioMessage) await expectSound(tx, row.id);
  // What it says about a comment is the file's name and a time, whatever that looks like.
  if (wish.commentId === null) await storeMentions(tx, row, wish.body);
  await indexMessage(tx, database.engine, row, wish.attachmentIds.length > 0);
  const sent = await sentMessage(tx, present, wish.projectId, row.id);
  await events.append(tx, topicOf.project(wish.projectId), "message.created", presentMessage(sent), { messageId: row.id, quotedId: row.parent_id });
  return row.id;
}
