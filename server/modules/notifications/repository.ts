/** SQL that loads notifications with the current names and texts of their subjects. */
import { sql } from "kysely";
import { padIds } from "../../db/engine-sql.ts";
import type { Db } from "../../db/schema.ts";
import { withoutCutMention } from "../../lib/mention-text.ts";
import { visibleNotifications } from "./visible.ts";

/** Characters of a message or comment that a notification shows. */
const TEXT_CHARACTERS = 200;

/** Selects notifications that their account can see, with what they show. */
export const selectNotifications = (db: Db) =>
  visibleNotifications(db)
    .leftJoin("accounts as actors", "actors.id", "notifications.actor_id")
    .leftJoin("projects", "projects.id", "notifications.project_id")
    .leftJoin("messages", "messages.id", "notifications.message_id")
    .leftJoin("comments", "comments.id", "notifications.comment_id")
    .leftJoin("files", "files.id", "notifications.file_id")
    .leftJoin("tasks", "tasks.id", "notifications.task_id")
    .leftJoin("file_statuses", "file_statuses.id", "notifications.status_id")
    .leftJoin("webhook_endpoints", "webhook_endpoints.id", "notifications.endpoint_id")
    .selectAll("notifications")
    .select([
      "actors.username",
      "projects.name as project_name",
      "files.name as file_name",
      "tasks.title as task_title",
      "tasks.due_at",
      "webhook_endpoints.url as endpoint_url",
    ])
    .select(["file_statuses.title as status_title", "file_statuses.color as status_color", "file_statuses.position as status_position"])
    .select(sql<string>`substr(coalesce(messages.body, comments.body, ''), 1, ${sql.lit(TEXT_CHARACTERS)})`.as("text"));

export type NotificationView = Awaited<ReturnType<ReturnType<typeof selectNotifications>["execute"]>>[number];

/** Removes a mention that the end of the text cuts off. */
const withoutCutEnd = (view: NotificationView): NotificationView =>
  [...view.text].length === TEXT_CHARACTERS ? { ...view, text: withoutCutMention(view.text) } : view;

/** Replaces `<@id>` by the names of those whom the message or comment mentions. */
export async function withMentionNames(db: Db, cutViews: readonly NotificationView[]): Promise<NotificationView[]> {
  const views = cutViews.map(withoutCutEnd);
  const withMentions = views.filter(({ text }) => text.includes("<@"));
  if (withMentions.length === 0) return views;
  const mentioned = await db
    .selectFrom("message_mentions")
    .innerJoin("accounts", "accounts.id", "message_mentions.account_id")
    .select([sql<string>`'message'`.as("kind"), "message_id as owner_id", "account_id", "username"])
    .where("message_id", "in", padIds(withMentions.map(({ message_id }) => message_id ?? 0)))
    .unionAll(
      db
        .selectFrom("comment_mentions")
        .innerJoin("accounts", "accounts.id", "comment_mentions.account_id")
        .select([sql<string>`'comment'`.as("kind"), "comment_id as owner_id", "account_id", "username"])
        .where("comment_id", "in", padIds(withMentions.map(({ comment_id }) => comment_id ?? 0))),
    )
    .execute();
  const names = new Map(mentioned.map(({ kind, owner_id, account_id, username }) => [`${kind} ${owner_id} ${account_id}`, username]));
  return views.map((view) => ({
    ...view,
    text: view.text.replaceAll(/<@(\d+)>/g, (mention, id: string) => {
      const name = names.get(view.message_id === null ? `comment ${view.comment_id} ${id}` : `message ${view.message_id} ${id}`);
      return name === undefined ? mention : `@${name}`;
    }),
  }));
}
