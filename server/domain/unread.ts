/** How many messages wait for a reader, and how many of them mention the reader: one expression each for the project list, the project and the read marker. */
import { sql } from "kysely";
import { LIMITS } from "../../contract/limits.ts";

type Ref = ReturnType<typeof sql.ref>;

/** Messages of others after the read marker: none for who has no marker, since they do not follow the project. Stops counting at the limit, so that a million unread cost no more than a hundred. */
export const unreadCount = (accountId: number | Ref, projectId: Ref, lastRead: Ref) => sql<number>`(
  select count(*) from (
    select 1 from messages m
    where m.project_id = ${projectId} and m.id > ${lastRead} and m.account_id <> ${accountId} and m.deleted_at is null
    limit ${sql.lit(LIMITS.unread_count_max)}
  ) unread
)`;

/** Of these, the ones that mention the reader. */
export const mentionCount = (accountId: number | Ref, projectId: Ref, lastRead: Ref) => sql<number>`(
  select count(*) from (
    select 1 from message_mentions mm join messages m on m.id = mm.message_id
    where mm.account_id = ${accountId} and mm.project_id = ${projectId} and mm.message_id > ${lastRead}
      and m.account_id <> ${accountId} and m.deleted_at is null
    limit ${sql.lit(LIMITS.unread_count_max)}
  ) mentioned
)`;
