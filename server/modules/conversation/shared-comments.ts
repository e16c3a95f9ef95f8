/** Loads the current state of comments that messages show. */
import { sql } from "kysely";
import { padIds } from "../../db/portable.ts";
import type { Db } from "../../db/schema.ts";

/** Length of the excerpt that a message shows. */
const EXCERPT_CHARACTERS = 200;

export interface SharedComment {
  id: number;
  file_id: number;
  file_name: string;
  version: number;
  /** For a reply: the values of its parent comment. */
  position_ms: number | null;
  end_ms: number | null;
  account_id: number;
  excerpt: string;
  /** When the comment or its file was deleted. */
  deleted_at: number | null;
}

/** Returns comments by id with one query. Permanently erased comments are missing. */
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
