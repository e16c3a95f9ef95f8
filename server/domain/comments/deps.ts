/** Dependencies of the comments module beyond those shared by all modules. */
import type { Tx } from "../../db/schema.ts";
import type { Actor } from "../access.ts";
import type { DomainDeps } from "../deps.ts";

/** The part of the chat that comments use; callers must have locked the project's topic. `Message` is the chat's message view. */
export interface Chat<Message> {
  /** Creates a message that shows the comment, and returns its id. */
  shareComment(tx: Tx, actor: Actor, input: { projectId: number; commentId: number; body: string }): Promise<number>;
  /** Publishes an update of each message that shows the comment. */
  republish(tx: Tx, projectId: number, commentId: number): Promise<void>;
  message(tx: Tx, projectId: number, messageId: number): Promise<Message>;
}

export interface CommentDeps<Message> extends DomainDeps {
  chat: Chat<Message>;
}
