/** SQL for projects as one reader sees them, with their unread count. */
import { sql } from "kysely";
import { LIMITS } from "../../../contract/limits.ts";
import type { Db } from "../../db/schema.ts";
import { visibleProjects, type Actor } from "../access.ts";

/** Messages of others after the read marker; stops counting at the limit, so that a million unread cost no more than a hundred. */
export const unreadCount = (accountId: number, projectId: ReturnType<typeof sql.ref>, lastRead: ReturnType<typeof sql.ref>) => sql<number>`(
  select count(*) from (
    select 1 from messages m
    where m.project_id = ${projectId} and m.id > coalesce(${lastRead}, 0) and m.account_id <> ${accountId} and m.deleted_at is null
    limit ${sql.lit(LIMITS.unread_count_max)}
  ) unread
)`;

export function projectsForReader(db: Db, actor: Actor) {
  return visibleProjects(db, actor)
    .leftJoin("read_markers", (join) => join.onRef("read_markers.project_id", "=", "projects.id").on("read_markers.account_id", "=", actor.accountId))
    .selectAll("projects")
    .select("read_markers.last_read_message_id")
    .select(unreadCount(actor.accountId, sql.ref("projects.id"), sql.ref("read_markers.last_read_message_id")).as("unread_count"));
}
