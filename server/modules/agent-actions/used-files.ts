/** Finds what would be lost to others if something that an agent added were deleted. */
import { padIds } from "../../db/engine-sql.ts";
import type { Db } from "../../db/schema.ts";

/**
 * Returns those of the files that have comments, tasks or a place in a message, comment or playlist by others than the agent, and folders with something in them.
 * What was deleted together with a folder, in this transaction, counts too.
 */
export async function findUsedFiles(db: Db, agentId: number, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const given = padIds(ids);
  const rows = await db
    .selectFrom("comments")
    .select("file_id as id")
    .where("file_id", "in", given)
    .where("account_id", "!=", agentId)
    .where("deleted_at", "is", null)
    .union(db.selectFrom("tasks").select("file_id as id").where("file_id", "in", given).where("created_by", "!=", agentId))
    .union(db.selectFrom("playlist_items").select("file_id as id").where("file_id", "in", given).where("added_by", "!=", agentId))
    .union(
      db
        .selectFrom("attachments")
        .innerJoin("messages", "messages.id", "attachments.message_id")
        .select("attachments.file_id as id")
        .where("attachments.file_id", "in", given)
        .where("messages.account_id", "!=", agentId)
        .where("messages.deleted_at", "is", null),
    )
    .union(
      db
        .selectFrom("comment_attachments")
        .innerJoin("comments as carriers", "carriers.id", "comment_attachments.comment_id")
        .select("comment_attachments.file_id as id")
        .where("comment_attachments.file_id", "in", given)
        .where("carriers.account_id", "!=", agentId)
        .where("carriers.deleted_at", "is", null),
    )
    .union(
      db
        .selectFrom("files")
        .select("parent_id as id")
        .where("parent_id", "in", given)
        .where((eb) => eb.or([eb("deleted_at", "is", null), eb("deleted_with", "=", eb.ref("parent_id"))]))
        .$narrowType<{ id: number }>(),
    )
    .execute();
  return new Set(rows.map(({ id }) => id));
}
