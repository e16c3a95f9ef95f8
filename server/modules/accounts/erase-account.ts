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
const OWN_ROWS: readonly [keyof Schema, string][] = [
  ["project_members", "account_id"],
  ["team_members", "account_id"],
  ["read_markers", "account_id"],
  ["comment_reads", "account_id"],
  ["message_mentions", "account_id"],
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

export interface EraseAccountDeps extends AccessDeps {
  storage: Storage;
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
    if (await deleteUnlessReferenced(tx, accountId)) {
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
