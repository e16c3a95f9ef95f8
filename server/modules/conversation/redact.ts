/** Redacts edited or deleted text of messages and comments from stored events, so that later readers of the log cannot see it. */
import type { Comment } from "../../../contract/comment-records.ts";
import { WITHHELD } from "../../../contract/events.ts";
import type { Message } from "../../../contract/records.ts";
import type { Tx } from "../../db/schema.ts";
import { redactCommentOfWebhooks, redactMessageOfWebhooks } from "./redact-webhook-events.ts";

/**
 * Call before appending the event for an edit or a deletion, with `current` as the message's new state. The first event of the
 * message takes over the new content under its own revision, so that the appended event still counts as newer. The events in
 * between keep only their position. Quotes of the message become empty until the appended event fills them. Each event in
 * between is rewritten only once, however often the message is edited.
 */
export async function redactMessage(tx: Tx, current: Message): Promise<void> {
  await redactMessageOfWebhooks(tx, current);
  await tx
    .updateTable("events")
    .set({ type: WITHHELD, data: "{}", message_id: null, quoted_id: null })
    .where("message_id", "=", current.id)
    .where("type", "=", "message.updated")
    .execute();
  const [first] = await loadStoredEvents(tx, "message_id", current.id);
  if (first) await updateEventData(tx, first, { ...current, revision: first.message.revision }, current.parent_message_id);
  for (const quotingEvent of await loadStoredEvents(tx, "quoted_id", current.id)) {
    const { message } = quotingEvent;
    const parent = message.parent && { ...message.parent, excerpt: "", mentions: [], attachment_name: null, audio_duration: null };
    await updateEventData(tx, quotingEvent, { ...message, parent }, null);
  }
}

/** Redacts a comment: its first event takes over the new content, and the events in between keep only their position. */
export async function redactComment(tx: Tx, current: Comment): Promise<void> {
  await redactCommentOfWebhooks(tx, current);
  await tx
    .updateTable("events")
    .set({ type: WITHHELD, data: "{}", comment_id: null })
    .where("comment_id", "=", current.id)
    .where("type", "=", "comment.updated")
    .execute();
  const first = await tx.selectFrom("events").select(["topic", "seq", "data"]).where("comment_id", "=", current.id).executeTakeFirst();
  if (!first) return;
  const { revision } = JSON.parse(first.data) as Comment;
  await tx
    .updateTable("events")
    .set({ data: JSON.stringify({ ...current, revision }) })
    .where("topic", "=", first.topic)
    .where("seq", "=", first.seq)
    .execute();
}

interface StoredMessageEvent {
  topic: string;
  seq: number;
  message: Message;
}

async function loadStoredEvents(tx: Tx, column: "message_id" | "quoted_id", id: number): Promise<StoredMessageEvent[]> {
  const rows = await tx.selectFrom("events").select(["topic", "seq", "data"]).where(column, "=", id).orderBy("seq").execute();
  return rows.map(({ data, ...key }) => ({ ...key, message: JSON.parse(data) as Message }));
}

async function updateEventData(tx: Tx, { topic, seq }: StoredMessageEvent, message: Message, quotedId: number | null): Promise<void> {
  await tx
    .updateTable("events")
    .set({ data: JSON.stringify(message), quoted_id: quotedId })
    .where("topic", "=", topic)
    .where("seq", "=", seq)
    .execute();
}
