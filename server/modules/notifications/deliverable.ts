/** What the module that sends push messages and emails asks before it sends: by then a notification may be read, gone or no longer visible. */
import type * as wire from "../../../contract/notification-records.ts";
import type { Channels } from "../../../contract/notification-records.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db } from "../../db/schema.ts";
import { loadRecipients, resolveChannels } from "./channels.ts";
import { presentNotification } from "./presenter.ts";
import { findQuietEnd } from "./quiet-time.ts";
import { selectNotifications, withMentionNames } from "./repository.ts";

/** Returns those of a person's notifications that are unread, that they still see and still want in this way, in order of their ids. */
export async function loadDeliverable(
  db: Db,
  publicUrl: string,
  { accountId, channel, ids }: { accountId: number; channel: "push" | "mail"; ids: readonly number[] },
): Promise<wire.Notification[]> {
  if (ids.length === 0) return [];
  const views = await selectNotifications(db)
    .where("notifications.id", "in", padIds(ids))
    .where("notifications.read_at", "is", null)
    .where("accounts.disabled_at", "is", null)
    .orderBy("notifications.id")
    .execute();
  const wanted: typeof views = [];
  for (const [projectId, ofProject] of Map.groupBy(views, ({ project_id }) => project_id)) {
    const [recipient] = await loadRecipients(db, [accountId], projectId);
    wanted.push(...ofProject.filter(({ kind }) => recipient && isWanted(resolveChannels(recipient.settings, recipient.project, kind), channel)));
  }
  wanted.sort((a, b) => a.id - b.id);
  return (await withMentionNames(db, wanted)).map((view) => presentNotification(publicUrl, view));
}

const isWanted = (channels: Channels | null, channel: "push" | "mail"): boolean =>
  channels !== null && (channel === "push" ? channels.push : channels.mail !== "off");

/** Returns until when push messages and emails to a person have to wait; null if they need not. */
export async function loadQuietEnd(db: Db, accountId: number, now: number): Promise<number | null> {
  const [recipient] = await loadRecipients(db, [accountId], null);
  return recipient ? findQuietEnd(recipient.settings, recipient.timeZone, now) : null;
}
