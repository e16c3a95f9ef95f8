/** Redacts edited or deleted text of messages and comments from the events that are stored for agents, sent or not, as from the log. */
import type { Comment } from "../../../contract/comment-records.ts";
import { type LiveEvent, WITHHELD } from "../../../contract/events.ts";
import type { Message } from "../../../contract/records.ts";
import type { Tx } from "../../db/schema.ts";

type TextColumn = "message_id" | "quoted_id" | "comment_id";
type TextOwner = Message | Comment;

/** Creations take over the new content under their own revision; events in between keep only their position; quotes become empty. */
export async function redactMessageOfAgents(tx: Tx, current: Message): Promise<void> {
  await rewriteTexts(tx, "message_id", current);
  await rewrite(tx, "quoted_id", current.id, (event) => {
    const message = event.data as unknown as Message;
    const parent = message.parent && { ...message.parent, excerpt: "", mentions: [], attachment_name: null, audio_duration: null };
    return { ...event, data: { ...message, parent } };
  });
}

export const redactCommentOfAgents = (tx: Tx, current: Comment): Promise<void> => rewriteTexts(tx, "comment_id", current);

const rewriteTexts = (tx: Tx, column: TextColumn, current: TextOwner): Promise<void> =>
  rewrite(tx, column, current.id, (event) => {
    if (!event.type.endsWith(".created")) return { ...event, type: WITHHELD, data: {} };
    return { ...event, data: { ...current, revision: (event.data as unknown as TextOwner).revision } };
  });

async function rewrite(tx: Tx, column: TextColumn, id: number, change: (event: LiveEvent) => LiveEvent): Promise<void> {
  const rows = await tx.selectFrom("outbound_events").select(["id", "data"]).where(column, "=", id).execute();
  for (const row of rows) {
    const data = JSON.stringify(change(JSON.parse(row.data) as LiveEvent));
    if (data !== row.data) await tx.updateTable("outbound_events").set({ data }).where("id", "=", row.id).execute();
  }
}
