/** Creates notifications, in the transaction of the change that causes them: at most one for a person and subject, none for who caused it. */
import { sql, type RawBuilder } from "kysely";
import type { Channels, MailMode, NotificationKind } from "../../../contract/notification-records.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db, NewRow, Row, Tx } from "../../db/schema.ts";
import { topicOf, type EventLog } from "../../events/log.ts";
import { audienceOf } from "../projects/repository.ts";
import { loadRecipients, resolveChannels, type Recipient } from "./channels.ts";
import { findQuietEnd } from "./quiet-time.ts";
import { countUnread } from "./visible.ts";

/** Notifications per statement, whose number of values is limited. */
const BATCH_SIZE = 500;

export interface NotificationInput {
  kind: NotificationKind;
  /** Who causes it, and gets none; null: the service. */
  actorId: number | null;
  /** Only people who see the project get one. null: everyone named does. */
  projectId: number | null;
  recipientIds: readonly number[];
  /** A person gets one notification for each key. */
  dedupeKey: string;
  /** If the person has one with this key already: true replaces it by the new one, false keeps it. */
  isRenewed: boolean;
  subject: Partial<Pick<Row<"notifications">, "message_id" | "comment_id" | "file_id" | "task_id" | "status_id" | "endpoint_id">>;
}

/** A new notification, and where it goes besides the list: for the module that sends push messages and emails. */
export interface CreatedNotification {
  notification: Row<"notifications">;
  push: boolean;
  mail: MailMode;
  /** Push messages and emails wait until then, because the person is not to be disturbed; null: they need not wait. */
  quietUntil: number | null;
}
/** Runs in the transaction that creates the notifications. */
export type OnCreated = (tx: Tx, created: readonly CreatedNotification[]) => Promise<void>;
export type Notify = (tx: Tx, inputs: readonly NotificationInput[]) => Promise<void>;

/** Dependencies of modules whose changes notify people. */
export interface NotifyDeps extends ModuleDeps {
  notify: Notify;
}

/** Publishes the number of unread notifications to the clients of each account, in order of id, so that two changes never deadlock. */
export async function publishUnread(tx: Tx, events: EventLog, accountIds: readonly number[]): Promise<void> {
  const counts = await countUnread(tx, accountIds);
  for (const [id, unread_count] of [...counts].toSorted(([a], [b]) => a - b))
    await events.append(tx, topicOf.account(id), "notifications.changed", { unread_count });
}

/** Deletes notifications that nobody has read and whose cause was undone, and publishes the numbers of their accounts. */
export async function withdrawOfTask(tx: Tx, events: EventLog, kind: NotificationKind, taskId: number): Promise<void> {
  const unread = tx.deleteFrom("notifications").where("task_id", "=", taskId).where("kind", "=", kind).where("read_at", "is", null);
  const withdrawn = await unread.returning("account_id").execute();
  await publishUnread(
    tx,
    events,
    withdrawn.map(({ account_id }) => account_id),
  );
}

/** Publishes the numbers of those who have unread notifications about these subjects, which were deleted, restored or changed. `ids`: a list or a query. */
export async function publishUnreadAbout(
  tx: Tx,
  events: EventLog,
  column: "message_id" | "comment_id" | "file_id" | "task_id",
  ids: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql<{ account_id: number }>`select distinct account_id from notifications
    where read_at is null and in_app = 1 and ${sql.ref(column)} in (${ids})`.execute(tx);
  await publishUnread(
    tx,
    events,
    rows.map(({ account_id }) => account_id),
  );
}

/** Returns those of the people who can see the project, without who causes the notification. */
async function findReaders(db: Db, { projectId, recipientIds, actorId }: NotificationInput): Promise<number[]> {
  const ids = [...new Set(recipientIds)].filter((id) => id !== actorId);
  if (ids.length === 0) return [];
  const people = projectId === null ? db.selectFrom("accounts").where("accounts.disabled_at", "is", null) : audienceOf(db, projectId);
  return (await people.select("accounts.id").where("accounts.id", "in", padIds(ids)).execute()).map(({ id }) => id);
}

const toRow = (input: NotificationInput, accountId: number, isInApp: boolean, now: number): NewRow<"notifications"> => ({
  account_id: accountId,
  kind: input.kind,
  dedupe_key: input.dedupeKey,
  project_id: input.projectId,
  actor_id: input.actorId,
  message_id: null,
  comment_id: null,
  file_id: null,
  task_id: null,
  status_id: null,
  endpoint_id: null,
  ...input.subject,
  in_app: isInApp ? 1 : 0,
  created_at: now,
});

export function createNotify({ events, clock, onCreated }: ModuleDeps & { onCreated: OnCreated }): Notify {
  async function insert(tx: Tx, input: NotificationInput, recipients: readonly (Recipient & { channels: Channels })[]): Promise<CreatedNotification[]> {
    const now = clock.now();
    const recipientOf = new Map(recipients.map((recipient) => [recipient.id, recipient]));
    if (input.isRenewed)
      await tx
        .deleteFrom("notifications")
        .where("account_id", "in", [...recipientOf.keys()])
        .where("dedupe_key", "=", input.dedupeKey)
        .execute();
    const rows = await tx
      .insertInto("notifications")
      .values(recipients.map(({ id, channels }) => toRow(input, id, channels.app, now)))
      .onConflict((on) => on.columns(["account_id", "dedupe_key"]).doNothing())
      .returningAll()
      .execute();
    return rows.flatMap((notification) => {
      const recipient = recipientOf.get(notification.account_id);
      if (!recipient) return [];
      const { channels, settings, timeZone } = recipient;
      return [{ notification, push: channels.push, mail: channels.mail, quietUntil: findQuietEnd(settings, timeZone, now) }];
    });
  }

  async function findRecipients(tx: Tx, input: NotificationInput): Promise<(Recipient & { channels: Channels })[]> {
    const readerIds = await findReaders(tx, input);
    return (await loadRecipients(tx, readerIds, input.projectId)).flatMap((recipient) => {
      const channels = resolveChannels(recipient.settings, recipient.project, input.kind);
      return channels ? [{ ...recipient, channels }] : [];
    });
  }

  return async (tx, inputs) => {
    const resolved: { input: NotificationInput; recipients: (Recipient & { channels: Channels })[] }[] = [];
    for (const input of inputs) resolved.push({ input, recipients: await findRecipients(tx, input) });
    // Gives an account's notifications ids in the order of their events. All are locked in the order of their ids, so that two changes never deadlock.
    const ids = new Set(resolved.flatMap(({ recipients }) => recipients.map(({ id }) => id)));
    for (const id of [...ids].toSorted((a, b) => a - b)) await events.lock(tx, topicOf.account(id));
    const created: CreatedNotification[] = [];
    for (const { input, recipients } of resolved)
      for (let offset = 0; offset < recipients.length; offset += BATCH_SIZE)
        created.push(...(await insert(tx, input, recipients.slice(offset, offset + BATCH_SIZE))));
    if (created.length === 0) return;
    const shown = created.filter(({ notification }) => notification.in_app === 1);
    await publishUnread(tx, events, [...new Set(shown.map(({ notification }) => notification.account_id))]);
    await onCreated(tx, created);
  };
}
