/** Lists a person's notifications and marks them as read, which all of their clients learn of. */
import type { NotificationKind } from "../../../contract/notification-records.ts";
import { assertCan, type Actor } from "../../access/access.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { Tx } from "../../db/schema.ts";
import { topicOf, type EventLog } from "../../events/log.ts";
import { toPage } from "../../http/paging.ts";
import { notFound } from "../../lib/errors.ts";
import { publishUnread } from "./notify.ts";
import { selectNotifications, withMentionNames, type NotificationView } from "./repository.ts";
import { countUnread } from "./visible.ts";

export interface NotificationFilter {
  isUnread: boolean;
  projectId: number | null;
}
/** What has been seen: all notifications that match every member. */
export interface SeenFilter {
  upToId?: number | undefined;
  projectId?: number | undefined;
  fileId?: number | undefined;
  kinds?: readonly NotificationKind[] | undefined;
  upToMessageId?: number | undefined;
  upToCommentId?: number | undefined;
}

export interface ReadDeps extends Pick<ModuleDeps, "clock"> {
  events: EventLog;
}

/** Marks as read what a person has seen, here or in its own place, and publishes the new count if it changed. */
export async function markSeen(tx: Tx, { events, clock }: ReadDeps, accountId: number, seen: SeenFilter): Promise<void> {
  await events.lock(tx, topicOf.account(accountId));
  let query = tx.updateTable("notifications").set({ read_at: clock.now() }).where("account_id", "=", accountId).where("read_at", "is", null);
  if (seen.upToId !== undefined) query = query.where("id", "<=", seen.upToId);
  if (seen.projectId !== undefined) query = query.where("project_id", "=", seen.projectId);
  if (seen.fileId !== undefined) query = query.where("file_id", "=", seen.fileId);
  if (seen.kinds !== undefined) query = query.where("kind", "in", seen.kinds);
  if (seen.upToMessageId !== undefined) query = query.where("message_id", "<=", seen.upToMessageId);
  if (seen.upToCommentId !== undefined) query = query.where("comment_id", "<=", seen.upToCommentId);
  const changed = await query.returning("in_app").execute();
  if (changed.some(({ in_app }) => in_app === 1)) publishUnread(tx, events, [accountId]);
}

export function createNotificationReads({ database, events, clock }: ModuleDeps) {
  const unreadCountOf = async (tx: Tx, accountId: number): Promise<number> => (await countUnread(tx, [accountId])).get(accountId) ?? 0;

  return {
    async list(
      { accountId, scopes }: Actor,
      { isUnread, projectId }: NotificationFilter,
      before: number | null,
      limit: number,
    ): Promise<{ views: NotificationView[]; next: number | null; unreadCount: number }> {
      const { read } = database;
      let query = selectNotifications(read).where("notifications.account_id", "=", accountId).where("notifications.in_app", "=", 1);
      if (isUnread) query = query.where("notifications.read_at", "is", null);
      if (projectId !== null) query = query.where("notifications.project_id", "=", projectId);
      if (before !== null) query = query.where("notifications.id", "<", before);
      // A token without the scope sees nothing of webhooks.
      if (scopes !== null && !scopes.includes("webhooks")) query = query.where("notifications.endpoint_id", "is", null);
      const rows = await query
        .orderBy("notifications.id", "desc")
        .limit(limit + 1)
        .execute();
      const page = toPage(rows, limit);
      return { views: await withMentionNames(read, page.rows), next: page.next, unreadCount: (await countUnread(read, [accountId])).get(accountId) ?? 0 };
    },

    /** Returns the new number of unread notifications. */
    setRead(actor: Actor, id: number, isRead: boolean): Promise<number> {
      assertCan(actor, "self", {}, "");
      return database.write(async (tx) => {
        await events.lock(tx, topicOf.account(actor.accountId));
        const found = await selectNotifications(tx)
          .where("notifications.account_id", "=", actor.accountId)
          .where("notifications.in_app", "=", 1)
          .where("notifications.id", "=", id)
          .executeTakeFirst();
        if (!found) throw notFound("notification");
        if ((found.read_at !== null) === isRead) return unreadCountOf(tx, actor.accountId);
        await tx
          .updateTable("notifications")
          .set({ read_at: isRead ? clock.now() : null })
          .where("id", "=", id)
          .execute();
        publishUnread(tx, events, [actor.accountId]);
        return unreadCountOf(tx, actor.accountId);
      });
    },

    markSeen(actor: Actor, seen: SeenFilter): Promise<number> {
      assertCan(actor, "self", {}, "");
      return database.write(async (tx) => {
        await markSeen(tx, { events, clock }, actor.accountId, seen);
        return unreadCountOf(tx, actor.accountId);
      });
    },
  };
}
