/** What a message or a comment says no more must not be read from the log by who comes later: its earlier events lose it. */
import { WITHHELD } from "../../contract/events.ts";
import type { Comment } from "../../contract/comment-records.ts";
import type { Message } from "../../contract/records.ts";
import type { Tx } from "../db/schema.ts";

/**
 * Before the event that tells of an edit or a deletion. `now`: the message as it stands then. Its first event takes over what it says now,
 * under its own revision, so that the one that follows is news; those between keep only their place; quotes of it become empty until
 * that event fills them. Each event between is touched once, however often a message is edited.
 */
export async function unsay(tx: Tx, now: Message): Promise<void> {
  await tx
    .updateTable("events")
    .set({ type: WITHHELD, data: "{}", message_id: null, quoted_id: null })
    .where("message_id", "=", now.id)
    .where("type", "=", "message.updated")
    .execute();
  const [first] = await about(tx, "message_id", now.id);
  if (first) await put(tx, first, { ...now, revision: first.message.revision }, now.parent_message_id);
  for (const quoting of await about(tx, "quoted_id", now.id)) {
    const { message } = quoting;
    const parent = message.parent && { ...message.parent, excerpt: "", mentions: [], attachment_name: null, audio_duration: null };
    await put(tx, quoting, { ...message, parent }, null);
  }
}

/** The same for a comment: its first event says what it says now, those between keep only their place. */
export async function unsayComment(tx: Tx, now: Comment): Promise<void> {
  await tx
    .updateTable("events")
    .set({ type: WITHHELD, data: "{}", comment_id: null })
    .where("comment_id", "=", now.id)
    .where("type", "=", "comment.updated")
    .execute();
  const first = await tx.selectFrom("events").select(["topic", "seq", "data"]).where("comment_id", "=", now.id).executeTakeFirst();
  if (!first) return;
  const { revision } = JSON.parse(first.data) as Comment;
  await tx
    .updateTable("events")
    .set({ data: JSON.stringify({ ...now, revision }) })
    .where("topic", "=", first.topic)
    .where("seq", "=", first.seq)
    .execute();
}

interface Told {
  topic: string;
  seq: number;
  message: Message;
}

async function about(tx: Tx, which: "message_id" | "quoted_id", id: number): Promise<Told[]> {
  const rows = await tx.selectFrom("events").select(["topic", "seq", "data"]).where(which, "=", id).orderBy("seq").execute();
  return rows.map(({ data, ...place }) => ({ ...place, message: JSON.parse(data) as Message }));
}

async function put(tx: Tx, { topic, seq }: Told, message: Message, quotedId: number | null): Promise<void> {
  await tx
    .updateTable("events")
    .set({ data: JSON.stringify(message), quoted_id: quotedId })
    .where("topic", "=", topic)
    .where("seq", "=", seq)
    .execute();
}
