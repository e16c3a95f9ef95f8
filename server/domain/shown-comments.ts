/** What messages show of comments, as those stand now. */
import { sql } from "kysely";
import { padIds } from "../db/portable.ts";
import type { Db } from "../db/schema.ts";

/** Characters that a message shows. */
const EXCERPT_CHARACTERS = 200;

export interface SharedComment {
  id: number;
  file_id: number;
  file_name: string;
  version: number;
  /** Of a reply: those of the comment that it answers. */
  position_ms: number | null;
  end_ms: number | null;
  account_id: number;
  excerpt: string;
  /** Of the comment, or of its file. */
  deleted_at: number | null;
}

/** By id; one query. What is gone for good is missing. */
export async function loadSharedComments(db: Db, ids: readonly number[]): Promise<Map<number, SharedComment>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("comments")
    .innerJoin("files", "files.id", "comments.file_id")
    .leftJoin("comments as roots", "roots.id", "comments.parent_id")
    .select(["comments.id", "comments.file_id", "comments.version", "comments.account_id", "files.name as file_name"])
    .select([
      sql<number | null>`coalesce(roots.position_ms, comments.position_ms)`.as("position_ms"),
      sql<number | null>`coalesce(roots.end_ms, comments.end_ms)`.as("end_ms"),
      sql<string>`substr(comments.body, 1, ${sql.lit(EXCERPT_CHARACTERS)})`.as("excerpt"),
      sql<number | null>`coalesce(comments.deleted_at, files.deleted_at)`.as("deleted_at"),
    ])
    .where("comments.id", "in", padIds(ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
