/** How many messages wait for a reader, and how many of them mention the reader: one expression each for the project list, the project and the read marker. */
import { sql } from "kysely";
import { LIMITS } from "../../contract/limits.ts";

type Ref = ReturnType<typeof sql.ref>;

/**
 * The newest messages after a read marker that are looked at, deleted ones and the reader's own among them: so a million after it cost no
 * more than these. Whoever has written nearly all of them is told of fewer unread than there are.
 */
const MAX_SCANNED_MESSAGES = 2_000;

/** Messages of others after the read marker: none for who has no marker, since they do not follow the project. Stops counting at the limit. */
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

/** Of these, the ones that mention the reader. */
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
