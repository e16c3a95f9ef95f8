/** Creates notifications, in the transaction of the change that causes them: at most one for a person and subject, none for who caused it. */
import { sql, type RawBuilder } from "kysely";
import type { Channels, MailMode, NotificationKind } from "../../../contract/notification-records.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { givenRows, padIds } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { topicOf, type EventLog } from "../../events/log.ts";
import { audienceOf } from "../projects/repository.ts";
import { loadRecipients, resolveChannels, type Recipient } from "./channels.ts";
import { findQuietEnd } from "./quiet-time.ts";
import { countUnread } from "./visible.ts";

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
  /** The new one also replaces one of this weaker kind, so that an edit that mentions somebody tells them. */
  replacedKind?: NotificationKind;
  subject: Partial<Pick<Row<"notifications">, "message_id" | "comment_id" | "file_id" | "task_id" | "status_id" | "endpoint_id">>;
}

/** A new notification, and where it goes besides the list: for the module that sends push messages and emails. */
export interface CreatedNotification {
  notification: Row<"notifications">;
  push: boolean;
  mail: MailMode;
  /** Push messages and emails wait until then, because the person is not to be disturbed; null: they need not wait. */
  quietUntil: number | null;
  timeZone: string;
}
/** Runs in the transaction that creates the notifications. */
export type OnCreated = (tx: Tx, created: readonly CreatedNotification[]) => Promise<void>;
export type Notify = (tx: Tx, inputs: readonly NotificationInput[]) => Promise<void>;

/** Dependencies of modules whose changes notify people. */
export interface NotifyDeps extends ModuleDeps {
  notify: Notify;
}

/** Publishes the number of unread notifications to the clients of each account, at the end of the transaction. */
export const publishUnread = (tx: Tx, events: EventLog, accountIds: readonly number[]): void =>
  events.atEnd(tx, accountIds.map(topicOf.account), async () => {
    const counts = await countUnread(tx, accountIds);
    await events.appendMany(
      tx,
      [...counts].map(([id, unread_count]) => ({ topic: topicOf.account(id), type: "notifications.changed", data: { unread_count } })),
    );
  });

/** Deletes notifications that nobody has read and whose cause was undone, and publishes the numbers of their accounts. */
export async function withdrawOfTask(tx: Tx, events: EventLog, kind: NotificationKind, taskId: number): Promise<void> {
  const rows = await tx.selectFrom("notifications").select("account_id").distinct().where("task_id", "=", taskId).where("kind", "=", kind).execute();
  const accountIds = rows.map(({ account_id }) => account_id);
  // Whoever reads their notifications locks their topic before the rows, and so does this.
  events.atEnd(tx, accountIds.map(topicOf.account), async () => {
    const unread = tx.deleteFrom("notifications").where("task_id", "=", taskId).where("kind", "=", kind).where("read_at", "is", null);
    const withdrawn = await unread.returning("account_id").execute();
    publishUnread(
      tx,
      events,
      withdrawn.map(({ account_id }) => account_id),
    );
  });
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
  publishUnread(
    tx,
    events,
    rows.map(({ account_id }) => account_id),
  );
}

/** Publishes the numbers of those who have unread notifications of a project, which was deleted or restored. */
export async function publishUnreadOfProject(tx: Tx, events: EventLog, projectId: number): Promise<void> {
  const rows = await tx.selectFrom("notifications").select("account_id").distinct().where("project_id", "=", projectId).where("read_at", "is", null).execute();
  publishUnread(
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

const toRow = (input: NotificationInput, accountId: number, isInApp: boolean, now: number): Omit<Row<"notifications">, "id" | "read_at"> => ({
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

const COLUMNS = {
  account_id: "bigint",
  kind: "text",
  dedupe_key: "text",
  project_id: "bigint",
  actor_id: "bigint",
  message_id: "bigint",
  comment_id: "bigint",
  file_id: "bigint",
  task_id: "bigint",
  status_id: "bigint",
  endpoint_id: "bigint",
  in_app: "bigint",
  created_at: "bigint",
} as const;

export function createNotify({ database, events, clock, onCreated }: ModuleDeps & { onCreated: OnCreated }): Notify {
  async function insert(tx: Tx, input: NotificationInput, recipients: readonly (Recipient & { channels: Channels })[]): Promise<CreatedNotification[]> {
    const now = clock.now();
    const recipientOf = new Map(recipients.map((recipient) => [recipient.id, recipient]));
    if (input.isRenewed || input.replacedKind) {
      const former = tx
        .deleteFrom("notifications")
        .where("account_id", "in", padIds([...recipientOf.keys()]))
        .where("dedupe_key", "=", input.dedupeKey);
      await (input.isRenewed || !input.replacedKind ? former : former.where("kind", "=", input.replacedKind)).execute();
    }
    const given = recipients.map(({ id, channels }) => toRow(input, id, channels.app, now));
    const columns = sql.join(Object.keys(COLUMNS).map((name) => sql.ref(name)));
    const { rows } = await sql<Row<"notifications">>`insert into notifications (${columns})
      select ${columns} from ${givenRows(database.engine, given, COLUMNS)} where true
      on conflict (account_id, dedupe_key) do nothing returning *`.execute(tx);
    return rows.flatMap((notification) => {
      const recipient = recipientOf.get(notification.account_id);
      if (!recipient) return [];
      const { channels, settings, timeZone } = recipient;
      return [{ notification, push: channels.push, mail: channels.mail, quietUntil: findQuietEnd(settings, timeZone, now), timeZone }];
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
    const ids = new Set(resolved.flatMap(({ recipients }) => recipients.map(({ id }) => id)));
    // The locks give an account's notifications ids in the order of their events.
    events.atEnd(tx, [...ids].map(topicOf.account), async () => {
      const created: CreatedNotification[] = [];
      for (const { input, recipients } of resolved) if (recipients.length > 0) created.push(...(await insert(tx, input, recipients)));
      if (created.length === 0) return;
      const shown = created.filter(({ notification }) => notification.in_app === 1);
      publishUnread(tx, events, [...new Set(shown.map(({ notification }) => notification.account_id))]);
      await onCreated(tx, created);
    });
  };
}
