/** Notifies people whom a message mentions, and the person to whom it replies. */
import type { Row, Tx } from "../../db/schema.ts";
import type { EventLog } from "../../events/log.ts";
import { publishUnread, type Notify } from "../notifications/notify.ts";

type Message = Pick<Row<"messages">, "id" | "project_id" | "account_id" | "parent_account_id">;

/** Notifies of a new message. Somebody who is mentioned in a reply to them gets one notification. */
export function notifyOfMessage(tx: Tx, notify: Notify, message: Message, mentionedIds: readonly number[]): Promise<void> {
  const { parent_account_id: parentAuthorId } = message;
  return notify(tx, [
    { kind: "mention", ...about(message), recipientIds: mentionedIds },
    { kind: "reply", ...about(message), recipientIds: parentAuthorId === null ? [] : [parentAuthorId] },
  ]);
}

/** Notifies those whom an edited message mentions for the first time, and withdraws the notifications of those whom it no longer mentions. */
export async function updateMentionNotifications(
  tx: Tx,
  { notify, events }: { notify: Notify; events: EventLog },
  message: Message,
  mentionedIds: readonly number[],
): Promise<void> {
  const withdrawn = await tx
    .deleteFrom("notifications")
    .where("message_id", "=", message.id)
    .where("kind", "=", "mention")
    .where("account_id", "not in", [0, ...mentionedIds])
    .returning("account_id")
    .execute();
  await publishUnread(
    tx,
    events,
    withdrawn.map(({ account_id }) => account_id),
  );
  await notify(tx, [{ kind: "mention", ...about(message), recipientIds: mentionedIds }]);
}

const about = ({ id, project_id, account_id }: Message) => ({
  actorId: account_id,
  projectId: project_id,
  dedupeKey: `message:${id}`,
  isRenewed: false,
  subject: { message_id: id },
});
