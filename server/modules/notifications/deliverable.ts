/** What the module that sends push messages and emails asks before it sends: by then a notification may be read, gone or no longer visible. */
import type * as wire from "../../../contract/notification-records.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db } from "../../db/schema.ts";
import { loadRecipients } from "./channels.ts";
import { presentNotification } from "./presenter.ts";
import { findQuietEnd } from "./quiet-time.ts";
import { selectNotifications, withMentionNames } from "./repository.ts";

/** Returns those of the notifications that are unread and that their recipient still sees, in order of their ids. */
export async function loadDeliverable(db: Db, publicUrl: string, ids: readonly number[]): Promise<wire.Notification[]> {
  if (ids.length === 0) return [];
  const views = await selectNotifications(db)
    .where("notifications.id", "in", padIds(ids))
    .where("notifications.read_at", "is", null)
    .where("accounts.disabled_at", "is", null)
    .orderBy("notifications.id")
    .execute();
  return (await withMentionNames(db, views)).map((view) => presentNotification(publicUrl, view));
}

/** Returns until when push messages and emails to a person have to wait; null if they need not. */
export async function loadQuietEnd(db: Db, accountId: number, now: number): Promise<number | null> {
  const [recipient] = await loadRecipients(db, [accountId], null);
  return recipient ? findQuietEnd(recipient.settings, recipient.timeZone, now) : null;
}
