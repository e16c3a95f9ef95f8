/** How many messages wait for a reader: one expression for the project list, the project and the read marker. */
import { sql } from "kysely";
import { LIMITS } from "../../contract/limits.ts";

/** Messages of others after the read marker: none for who has no marker, since they do not follow the project. Stops counting at the limit, so that a million unread cost no more than a hundred. */
export const unreadCount = (accountId: number, projectId: ReturnType<typeof sql.ref>, lastRead: ReturnType<typeof sql.ref>) => sql<number>`(
  select count(*) from (
    select 1 from messages m
    where m.project_id = ${projectId} and m.id > ${lastRead} and m.account_id <> ${accountId} and m.deleted_at is null
    limit ${sql.lit(LIMITS.unread_count_max)}
  ) unread
)`;
