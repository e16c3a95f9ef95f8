/** What the comments room needs besides the common things. */
import type { Tx } from "../../db/schema.ts";
import type { Actor } from "../access.ts";
import type { DomainDeps } from "../deps.ts";

/** The chat, as comments use it; the project's topic is locked. `Sent`: a message as the chat tells it. */
export interface Chat<Sent> {
  /** Writes a message that shows the comment; answers its id. */
  show(tx: Tx, actor: Actor, wish: { projectId: number; commentId: number; body: string }): Promise<number>;
  /** Tells again of the messages that show it, as it stands now. */
  retell(tx: Tx, projectId: number, commentId: number): Promise<void>;
  message(tx: Tx, projectId: number, messageId: number): Promise<Sent>;
}

export interface CommentDeps<Sent> extends DomainDeps {
  chat: Chat<Sent>;
}
