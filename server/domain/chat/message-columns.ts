/** A message in one select with all that it shows: its reactions, whom it mentions, and what it quotes as that stands now. */
import { sql } from "kysely";
import type { Engine } from "../../db/database.ts";
import { jsonLists } from "../../db/portable.ts";
import type { Db, Row } from "../../db/schema.ts";

/** Characters of the parent that a reply quotes. */
const EXCERPT_CHARACTERS = 200;

/** What a reply shows of its parent; all null where it is none. */
interface QuotedColumns {
  parent_excerpt: string | null;
  parent_deleted_at: number | null;
  parent_is_audio: 0 | 1 | null;
  /** JSON: `[[account_id], …]` */
  parent_mentions: string | null;
  parent_attachment: string | null;
}
export interface MessageRow extends Row<"messages">, QuotedColumns {
  /** JSON: `[[emoji, account_id], …]`, the oldest first. */
  reactions: string;
  /** JSON: `[[account_id], …]` */
  mentions: string;
}

export function selectMessages(db: Db, engine: Engine) {
  const mentionsOf = (message: string) => sql<string>`(
    select ${jsonLists(engine, [sql`mm.account_id`], sql`mm.account_id`)} from message_mentions mm where mm.message_id = ${sql.ref(message)})`;
  const reactions = sql<string>`(
    select ${jsonLists(engine, [sql`r.emoji`, sql`r.account_id`], sql`r.created_at, r.emoji, r.account_id`)}
    from reactions r where r.message_id = messages.id)`;
  const attachment = sql<string | null>`(
    select f.name from attachments a join files f on f.id = a.file_id where a.message_id = parents.id order by a.position limit 1)`;
  return db
    .selectFrom("messages")
    .leftJoin("messages as parents", "parents.id", "messages.parent_id")
    .selectAll("messages")
    .select([
      sql<string | null>`substr(parents.body, 1, ${sql.lit(EXCERPT_CHARACTERS)})`.as("parent_excerpt"),
      "parents.deleted_at as parent_deleted_at",
      "parents.is_audio_message as parent_is_audio",
      sql<string | null>`case when parents.id is not null then ${mentionsOf("parents.id")} end`.as("parent_mentions"),
      sql<string | null>`case when parents.id is not null then ${attachment} end`.as("parent_attachment"),
      reactions.as("reactions"),
      mentionsOf("messages.id").as("mentions"),
    ]);
}
