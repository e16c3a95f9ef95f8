/** SQL for the number of unread messages and of unread mentions, for the project list, the project and the read marker. */
import { sql } from "kysely";
import { LIMITS } from "../../contract/limits.ts";

type Ref = ReturnType<typeof sql.ref>;

/**
 * Limits the scan to the newest messages after a read marker, including deleted ones and the reader's own, so that a million unread messages cost no
 * more. A reader who wrote nearly all of them sees a count that is too low.
 */
const MAX_SCANNED_MESSAGES = 2_000;

/** Counts messages of others after the read marker, up to the limit. Accounts without a marker do not follow the project and have none. */
export const unreadCount = (accountId: number | Ref, projectId: Ref, lastRead: Ref) => sql<number>`(
  select count(*) from (
    select 1 from (
      select m.account_id, m.deleted_at from messages m
      where m.project_id = ${projectId} and m.id > ${lastRead}
      order by m.id desc limit ${sql.lit(MAX_SCANNED_MESSAGES)}
    ) newest
    where newest.account_id <> ${accountId} and newest.deleted_at is null
    limit ${sql.lit(LIMITS.unread_count_max)}
  ) unread
)`;

/** Counts the unread messages that mention the reader. */
export const mentionCount = (accountId: number | Ref, projectId: Ref, lastRead: Ref) => sql<number>`(
  select count(*) from (
    select 1 from (
      select mm.message_id from message_mentions mm
      where mm.account_id = ${accountId} and mm.project_id = ${projectId} and mm.message_id > ${lastRead}
      order by mm.message_id desc limit ${sql.lit(MAX_SCANNED_MESSAGES)}
    ) newest
    join messages m on m.id = newest.message_id
    where m.account_id <> ${accountId} and m.deleted_at is null
    limit ${sql.lit(LIMITS.unread_count_max)}
  ) mentioned
)`;
