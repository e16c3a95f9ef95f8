/** SQL for the notifications that their account can see: of projects that it sees, about what still exists. Everything that reads notifications asks it. */
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { LIMITS } from "../../../contract/limits.ts";
import { isAllowed, MANAGER_ROLES } from "../../../contract/policy.ts";
import { ROLES } from "../../../contract/records.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db } from "../../db/schema.ts";

/** The roles that see webhook endpoints. */
export const WEBHOOK_MANAGERS = ROLES.filter((role) => isAllowed("webhook.manage", role));

/** True for rows of `notifications` that the account in the row `accounts` can see. */
export const isVisible: RawBuilder<SqlBool> = sql<SqlBool>`(
  (notifications.project_id is null or exists (
    select 1 from project_members member join projects seen on seen.id = member.project_id
    where member.project_id = notifications.project_id and member.account_id = accounts.id and seen.deleted_at is null)
    or (accounts.role in (${sql.join(MANAGER_ROLES.map((role) => sql.lit(role)))}) and exists (
      select 1 from projects seen join teams on teams.id = seen.team_id
      where seen.id = notifications.project_id and seen.deleted_at is null and teams.organisation_id = accounts.organisation_id)))
  and (notifications.message_id is null or exists (
    select 1 from messages seen where seen.id = notifications.message_id and seen.deleted_at is null))
  and (notifications.comment_id is null or exists (
    select 1 from comments seen where seen.id = notifications.comment_id and seen.deleted_at is null))
  and (notifications.file_id is null or exists (
    select 1 from files seen where seen.id = notifications.file_id and seen.deleted_at is null))
  and (notifications.task_id is null or exists (select 1 from tasks seen where seen.id = notifications.task_id))
  and (notifications.endpoint_id is null or (accounts.role in (${sql.join(WEBHOOK_MANAGERS.map((role) => sql.lit(role)))}) and exists (
    select 1 from webhook_endpoints seen where seen.id = notifications.endpoint_id and seen.deleted_at is null)))
)`;

/** Queries notifications with their account, only those that it can see. */
export const visibleNotifications = (db: Db) =>
  db.selectFrom("notifications").innerJoin("accounts", "accounts.id", "notifications.account_id").where(isVisible);

/** Returns how many unread notifications each account has in its list; it counts to a limit. */
export async function countUnread(db: Db, accountIds: readonly number[]): Promise<Map<number, number>> {
  if (accountIds.length === 0) return new Map();
  const { rows } = await sql<{ id: number; unread: number }>`
    select accounts.id, (select count(*) from (
      select 1 from notifications where notifications.account_id = accounts.id and notifications.read_at is null and notifications.in_app = 1 and ${isVisible}
      limit ${sql.lit(LIMITS.unread_count_max)}
    ) counted) as unread from accounts where accounts.id in (${sql.join(padIds(accountIds))})`.execute(db);
  return new Map(rows.map(({ id, unread }) => [id, unread]));
}
