/** Redacts edited or deleted text of messages and comments from the events that are stored for webhooks and agents, sent or not, as from the log. */
import { AGENT_EVENT } from "../../../contract/agent-subscription-records.ts";
import type { Comment } from "../../../contract/comment-records.ts";
import { type LiveEvent, WITHHELD } from "../../../contract/events.ts";
import type { Message } from "../../../contract/records.ts";
import type { Tx } from "../../db/schema.ts";

type TextColumn = "message_id" | "quoted_id" | "comment_id";
type TextOwner = Message | Comment;
type TextEvent = Pick<LiveEvent, "type" | "data">;

/** Creations take over the new content under their own revision; events in between keep only their position; quotes become empty. */
export async function redactMessageOfWebhooks(tx: Tx, current: Message): Promise<void> {
  await rewriteTexts(tx, "message_id", current);
  await rewrite(tx, "quoted_id", current.id, (event) => {
    const message = event.data as unknown as Message;
    const parent = message.parent && { ...message.parent, excerpt: "", mentions: [], attachment_name: null, audio_duration: null };
    return { ...event, data: { ...message, parent } };
  });
}

export const redactCommentOfWebhooks = (tx: Tx, current: Comment): Promise<void> => rewriteTexts(tx, "comment_id", current);

const rewriteTexts = (tx: Tx, column: TextColumn, current: TextOwner): Promise<void> =>
  rewrite(tx, column, current.id, (event) => {
    if (!event.type.endsWith(".created")) return { ...event, type: WITHHELD, data: {} };
    return { ...event, data: { ...current, revision: (event.data as unknown as TextOwner).revision } };
  });

/** What the record in a webhook event has besides those of the log; the rest may contain text, as the comment that a message shows does. */
const FURTHER_MEMBERS = ["project_id", "project_name", "file_name", "changed_by_account_id"];

/** Agents get the event as the live channel sends it, other endpoints its record with further members. */
async function rewrite(tx: Tx, column: TextColumn, id: number, change: (event: TextEvent) => TextEvent): Promise<void> {
  const rows = await tx.selectFrom("outbound_events").select(["id", "type", "data"]).where(column, "=", id).execute();
  for (const row of rows) {
    const stored = JSON.parse(row.data) as LiveEvent["data"];
    const data = JSON.stringify(row.type === AGENT_EVENT ? change(stored as LiveEvent) : changeRecord(row.type, stored, change));
    if (data !== row.data) await tx.updateTable("outbound_events").set({ data }).where("id", "=", row.id).execute();
  }
}

function changeRecord(type: string, stored: TextEvent["data"], change: (event: TextEvent) => TextEvent): TextEvent["data"] {
  const further = Object.fromEntries(Object.entries(stored).filter(([name]) => FURTHER_MEMBERS.includes(name)));
  return { ...change({ type, data: stored }).data, ...further };
}
