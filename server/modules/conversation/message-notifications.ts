/** Notifies people whom a message mentions, and the person to whom it replies. */
import type { ExpressionBuilder } from "kysely";
import type { Row, Schema, Tx } from "../../db/schema.ts";
import { topicOf, type EventLog } from "../../events/log.ts";
import { loadRecipients, resolveChannels } from "../notifications/channels.ts";
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

/**
 * Notifies those whom an edited message mentions for the first time, and withdraws the notifications of those whom it no longer mentions. That of the
 * person to whom it replies becomes one of a mention, or again one of a reply.
 */
export async function updateMentionNotifications(
  tx: Tx,
  { notify, events }: { notify: Notify; events: EventLog },
  message: Message,
  mentionedIds: readonly number[],
): Promise<void> {
  const { id, project_id, parent_account_id: parentAuthorId } = message;
  const isFormer = ({ and, eb }: ExpressionBuilder<Schema, "notifications">) =>
    and([eb("message_id", "=", id), eb("kind", "=", "mention"), eb("account_id", "not in", [0, ...mentionedIds])]);
  const formerIds = (await tx.selectFrom("notifications").select("account_id").where(isFormer).execute()).map(({ account_id }) => account_id);
  events.atEnd(tx, formerIds.map(topicOf.account), async () => {
    const [recipient] = parentAuthorId === null || !formerIds.includes(parentAuthorId) ? [] : await loadRecipients(tx, [parentAuthorId], project_id);
    const channels = recipient && resolveChannels(recipient.settings, recipient.project, "reply");
    if (channels)
      await tx
        .updateTable("notifications")
        .set({ kind: "reply", in_app: channels.app ? 1 : 0 })
        .where(isFormer)
        .where("account_id", "=", parentAuthorId)
        .execute();
    await tx.deleteFrom("notifications").where(isFormer).execute();
    publishUnread(tx, events, formerIds);
  });
  await notify(tx, [{ kind: "mention", ...about(message), replacedKind: "reply", recipientIds: mentionedIds }]);
}

const about = ({ id, project_id, account_id }: Message) => ({
  actorId: account_id,
  projectId: project_id,
  dedupeKey: `message:${id}`,
  isRenewed: false,
  subject: { message_id: id },
});
