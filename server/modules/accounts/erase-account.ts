/** Erases an account with all that only concerns it. Where others still have something of it, the account stays as a former member without a name. */
import { sql } from "kysely";
import { isForeignKeyViolation } from "../../db/engine-errors.ts";
import { renamePersonInValues } from "../../db/metadata-keys.ts";
import type { Db, Row, Schema, Tx } from "../../db/schema.ts";
import { indexRecords } from "../../db/search-documents.ts";
import { removeSearchDocuments } from "../../db/search-index.ts";
import { topicOf } from "../../events/log.ts";
import { conflict } from "../../lib/errors.ts";
import type { Storage } from "../../storage/storage.ts";
import { lockAccounts } from "./create-account.ts";
import { type AccessDeps, endAccess } from "./issued-access.ts";
import { publishAccountUpdated } from "./profiles.ts";

export const FORMER_MEMBER = "Former member";

/** Tables whose rows only concern the account, with the column that names it, rows before those to which they refer. */
export const OWN_ROWS: readonly [keyof Schema, string][] = [
  ["project_members", "account_id"],
  ["team_members", "account_id"],
  ["read_markers", "account_id"],
  ["comment_reads", "account_id"],
  ["message_mentions", "account_id"],
  ["comment_mentions", "account_id"],
  ["favorites", "account_id"],
  ["recent_items", "account_id"],
  ["file_watchers", "account_id"],
  ["notification_deliveries", "account_id"],
  ["notifications", "account_id"],
  ["notifications", "actor_id"],
  ["notification_settings", "account_id"],
  ["project_notification_settings", "account_id"],
  ["push_subscriptions", "account_id"],
  ["mail_opt_outs", "account_id"],
  ["confirmed_addresses", "account_id"],
  ["address_opt_outs", "account_id"],
  ["live_tickets", "account_id"],
  ["idempotency", "account_id"],
  ["uploads", "account_id"],
  ["job_turns", "account_id"],
  ["sessions", "account_id"],
  ["api_tokens", "account_id"],
  ["password_resets", "account_id"],
  ["password_resets", "created_by"],
  ["invites", "created_by"],
  ["avatars", "account_id"],
  ["agents", "account_id"],
];

/** References that others still have something of: an account with one stays, and its rows too. Those come first that most accounts have. */
export const KEPT_ROWS: readonly [keyof Schema, string][] = [
  ["messages", "account_id"],
  ["comments", "account_id"],
  ["files", "created_by"],
  ["file_versions", "created_by"],
  ["projects", "created_by"],
  ["tasks", "created_by"],
  ["tasks", "assignee_id"],
  ["tasks", "closed_by"],
  ["status_changes", "account_id"],
  ["reactions", "account_id"],
  ["playlists", "created_by"],
  ["playlist_items", "added_by"],
  ["project_groups", "created_by"],
  ["task_templates", "created_by"],
  ["metadata_templates", "created_by"],
  ["metadata_values", "updated_by"],
  ["metadata_values", "person_id"],
  ["delivery_rules", "updated_by"],
  ["document_pages", "created_by"],
  ["messages", "deleted_by"],
  ["comments", "deleted_by"],
  ["comments", "resolved_by"],
  ["projects", "deleted_by"],
  ["agents", "created_by"],
  ["agents", "paused_by"],
  ["agent_tasks", "agent_id"],
  ["agent_tasks", "created_by"],
  ["agent_task_runs", "started_by_account_id"],
  ["agent_actions", "agent_id"],
  ["agent_actions", "undone_by"],
  ["webhook_endpoints", "agent_id"],
  ["webhook_endpoints", "created_by"],
];

export interface EraseAccountDeps extends AccessDeps {
  storage: Storage;
  /** Publishes the numbers of unread notifications at the end of the transaction. */
  publishUnread(tx: Tx, accountIds: readonly number[]): void;
}

/** Throws a 409 if the organization would have no enabled owner left. */
async function assertNotLastOwner(db: Db, { id, organisation_id, role, disabled_at }: Row<"accounts">): Promise<void> {
  if (role !== "owner" || disabled_at !== null) return;
  const other = await db
    .selectFrom("accounts")
    .select("id")
    .where("organisation_id", "=", organisation_id)
    .where("role", "=", "owner")
    .where("disabled_at", "is", null)
    .where("id", "!=", id)
    .limit(1)
    .executeTakeFirst();
  if (!other) throw conflict("One of its people is the only owner left. Make somebody else an owner, then try again.");
}

/** Returns "erased", "kept" as a former member, or "absent". Throws a 409 for the last owner. The caller has ended what other modules start for the account, such as tasks of agents. */
export async function eraseAccount(deps: EraseAccountDeps, accountId: number): Promise<"erased" | "kept" | "absent"> {
  const { database, storage, events, clock } = deps;
  const find = (db: Db) => db.selectFrom("accounts").selectAll().where("id", "=", accountId).executeTakeFirst();
  const found = await find(database.read);
  if (!found) return "absent";
  await assertNotLastOwner(database.read, found);
  const pictures = await database.read.selectFrom("avatars").selectAll().where("account_id", "=", accountId).execute();
  // Bytes before rows, as everywhere: a picture that is gone already does no harm.
  for (const { small_key, medium_key, large_key } of pictures) for (const key of [small_key, medium_key, large_key]) await storage.remove(key);
  await withdrawNotifications(deps, accountId);
  const isKept = await isReferenced(database.backgroundRead, accountId);
  return database.backgroundWrite(async (tx) => {
    await lockAccounts(tx, database.engine, found.organisation_id);
    const account = await find(tx);
    if (!account) return "absent";
    await assertNotLastOwner(tx, account);
    await tx.deleteFrom("events").where("topic", "=", topicOf.account(accountId)).execute();
    await endAccess(tx, deps, accountId, { tokens: true });
    const projects = await tx.selectFrom("project_members").select("project_id").where("account_id", "=", accountId).orderBy("project_id").execute();
    for (const { project_id } of projects)
      await events.append(tx, topicOf.project(project_id), "project.member_removed", { project_id, account_id: accountId });
    await tx.updateTable("accounts").set({ avatar_id: null }).where("id", "=", accountId).execute();
    const tokens = tx.selectFrom("api_tokens").select("id").where("account_id", "=", accountId);
    await tx.deleteFrom("oauth_codes").where("grant_id", "in", tokens).execute();
    await tx.deleteFrom("oauth_tokens").where("grant_id", "in", tokens).execute();
    for (const [table, column] of OWN_ROWS) await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${accountId}`.execute(tx);
    if (!isKept && (await deleteUnlessReferenced(tx, accountId))) {
      await removeSearchDocuments(tx, database.engine, "account", [accountId]);
      await publishAccountUpdated(tx, deps, { ...account, username: FORMER_MEMBER, email: "", user_info: "", avatar_id: null, disabled_at: clock.now() });
      return "erased";
    }
    const key = `former member ${accountId}`;
    const former = await tx
      .updateTable("accounts")
      .set({
        username: FORMER_MEMBER,
        username_key: key,
        email: "",
        email_key: key,
        user_info: "",
        password_hash: null,
        time_zone: null,
        locale: null,
        working_hours: null,
        role: "guest",
        disabled_at: clock.now(),
      })
      .where("id", "=", accountId)
      .returningAll()
      .executeTakeFirstOrThrow();
    await renamePersonInValues(tx, accountId, FORMER_MEMBER);
    await indexRecords(tx, database.engine, "account", [accountId]);
    await publishAccountUpdated(tx, deps, former);
    return "kept";
  });
}

/** Deletes what tells others of the account's actions, and publishes their numbers; in a transaction of its own, because others are locked last. */
async function withdrawNotifications({ database, events, publishUnread }: EraseAccountDeps, accountId: number): Promise<void> {
  await database.backgroundWrite(async (tx) => {
    const told = await tx.selectFrom("notifications").select("account_id").distinct().where("actor_id", "=", accountId).execute();
    const accountIds = told.map(({ account_id }) => account_id);
    events.atEnd(tx, accountIds.map(topicOf.account), async () => {
      await tx
        .deleteFrom("notifications")
        .where("actor_id", "=", accountId)
        .where("account_id", "in", [0, ...accountIds])
        .execute();
      publishUnread(tx, accountIds);
    });
  });
}

/** Looks for a reference outside the transaction, which would otherwise look through tables without an index while nobody else can write. */
async function isReferenced(db: Db, accountId: number): Promise<boolean> {
  for (const [table, column] of KEPT_ROWS) {
    const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${accountId} limit 1`.execute(db);
    if (rows.length > 0) return true;
  }
  return false;
}

/** Leaves the decision to the database, which knows every reference. */
async function deleteUnlessReferenced(tx: Tx, accountId: number): Promise<boolean> {
  await sql`savepoint erased_account`.execute(tx);
  try {
    await tx.deleteFrom("accounts").where("id", "=", accountId).execute();
    await sql`release savepoint erased_account`.execute(tx);
    return true;
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    await sql`rollback to savepoint erased_account`.execute(tx);
    await sql`release savepoint erased_account`.execute(tx);
    return false;
  }
}
