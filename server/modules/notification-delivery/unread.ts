/** Loads what an attempt needs to know at the last moment: which notifications are still unread and visible, and whether the person may be disturbed. */
import type { Notification } from "../../../contract/notification-records.ts";
import type { Db } from "../../db/schema.ts";
import { loadRecipients } from "../notifications/channels.ts";
import { presentNotification } from "../notifications/presenter.ts";
import { findQuietEnd } from "../notifications/quiet-time.ts";
import { selectNotifications, withMentionNames } from "../notifications/repository.ts";

const DEFAULT_TIME_ZONE = "UTC";

/** Returns the time zones of accounts. */
export async function loadTimeZones(db: Db, accountIds: readonly number[]): Promise<Map<number, string>> {
  if (accountIds.length === 0) return new Map();
  const rows = await db.selectFrom("accounts").select(["id", "time_zone"]).where("id", "in", accountIds).execute();
  return new Map(rows.map(({ id, time_zone }) => [id, time_zone ?? DEFAULT_TIME_ZONE]));
}

/** Returns those notifications of a delivery that their account can still see and has not read, oldest first. */
export async function loadUnread(db: Db, deliveryId: number, publicUrl: string): Promise<Notification[]> {
  const views = await selectNotifications(db)
    .where("notifications.id", "in", (query) => query.selectFrom("notification_delivery_items").select("notification_id").where("delivery_id", "=", deliveryId))
    .where("notifications.read_at", "is", null)
    .orderBy("notifications.id")
    .execute();
  return (await withMentionNames(db, views)).map((view) => presentNotification(publicUrl, view));
}

/** Returns until when an account is not to be disturbed; null if it may be now. */
export async function loadQuietEnd(db: Db, accountId: number, now: number): Promise<number | null> {
  const [recipient] = await loadRecipients(db, [accountId], null);
  const timeZones = await loadTimeZones(db, [accountId]);
  return recipient ? findQuietEnd(recipient.settings, timeZones.get(accountId) ?? DEFAULT_TIME_ZONE, now) : null;
}
