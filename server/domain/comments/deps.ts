/** What the comments room needs besides the common things. */
import type { Tx } from "../../db/schema.ts";
import type { Actor } from "../access.ts";
import type { DomainDeps } from "../deps.ts";

/** The chat, as comments use it; the project's topic is locked. `Message`: a message as the chat tells it. */
export interface Chat<Message> {
  /** Writes a message that shows the comment; answers its id. */
  shareComment(tx: Tx, actor: Actor, input: { projectId: number; commentId: number; body: string }): Promise<number>;
  /** Tells again of the messages that show it, as it stands now. */
  republish(tx: Tx, projectId: number, commentId: number): Promise<void>;
  message(tx: Tx, projectId: number, messageId: number): Promise<Message>;
}

export interface CommentDeps<Message> extends DomainDeps {
  chat: Chat<Message>;
}
