/** Notifies people whom a comment mentions, and the watchers of its file. */
import type { ExpressionBuilder } from "kysely";
import type { Row, Schema, Tx } from "../../db/schema.ts";
import { topicOf, type EventLog } from "../../events/log.ts";
import { loadRecipients, resolveChannels } from "../notifications/channels.ts";
import { publishUnread, type Notify } from "../notifications/notify.ts";
import { findWatchers } from "../notifications/watching.ts";

type Comment = Pick<Row<"comments">, "id" | "file_id" | "project_id" | "account_id">;

/** Notifies of a new comment. A watcher whom it mentions gets one notification. */
export async function notifyOfComment(tx: Tx, notify: Notify, comment: Comment, mentionedIds: readonly number[]): Promise<void> {
  await notify(tx, [
    { kind: "mention", ...about(comment), recipientIds: mentionedIds },
    { kind: "comment", ...about(comment), recipientIds: await findWatchers(tx, comment.file_id) },
  ]);
}

/**
 * Notifies those whom an edited comment mentions for the first time, and withdraws the notifications of those whom it no longer mentions. That of a
 * watcher becomes one of a mention, or again one of a comment.
 */
export async function updateCommentMentions(
  tx: Tx,
  { notify, events }: { notify: Notify; events: EventLog },
  comment: Comment,
  mentionedIds: readonly number[],
): Promise<void> {
  const isFormer = ({ and, eb }: ExpressionBuilder<Schema, "notifications">) =>
    and([eb("comment_id", "=", comment.id), eb("kind", "=", "mention"), eb("account_id", "not in", [0, ...mentionedIds])]);
  const formerIds = (await tx.selectFrom("notifications").select("account_id").where(isFormer).execute()).map(({ account_id }) => account_id);
  events.atEnd(tx, formerIds.map(topicOf.account), async () => {
    const watcherIds = formerIds.length === 0 ? [] : await findWatchers(tx, comment.file_id);
    const watchers = await loadRecipients(
      tx,
      watcherIds.filter((id) => formerIds.includes(id)),
      comment.project_id,
    );
    for (const { id, settings, project } of watchers) {
      const channels = resolveChannels(settings, project, "comment");
      if (!channels) continue;
      await tx
        .updateTable("notifications")
        .set({ kind: "comment", in_app: channels.app ? 1 : 0 })
        .where(isFormer)
        .where("account_id", "=", id)
        .execute();
    }
    await tx.deleteFrom("notifications").where(isFormer).execute();
    publishUnread(tx, events, formerIds);
  });
  await notify(tx, [{ kind: "mention", ...about(comment), replacedKind: "comment", recipientIds: mentionedIds }]);
}

const about = ({ id, file_id, project_id, account_id }: Comment) => ({
  actorId: account_id,
  projectId: project_id,
  dedupeKey: `comment:${id}`,
  isRenewed: false,
  subject: { comment_id: id, file_id },
});
