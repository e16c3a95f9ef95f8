/** SQL for messages. Ids follow commit order within a project, so they are cursors. */
import type { Db, NewRow, Row, Tx } from "../../db/schema.ts";

export type MessageRow = Row<"messages">;

interface Window {
  projectId: number;
  includeDeleted: boolean;
  limit: number;
}

const base = (db: Db, { projectId, includeDeleted }: Window) => {
  const query = db.selectFrom("messages").selectAll().where("project_id", "=", projectId);
  return includeDeleted ? query : query.where("deleted_at", "is", null);
};

/** The newest messages with an id below `before` (null: of all), oldest first, and whether there are more. */
export async function olderThan(db: Db, window: Window, before: number | null): Promise<{ rows: MessageRow[]; more: boolean }> {
  const query = before === null ? base(db, window) : base(db, window).where("id", "<", before);
  const rows = await query
    .orderBy("id", "desc")
    .limit(window.limit + 1)
    .execute();
  return { rows: rows.slice(0, window.limit).reverse(), more: rows.length > window.limit };
}

/** The oldest messages with an id above `after`, oldest first, and whether there are more. */
export async function newerThan(db: Db, window: Window, after: number): Promise<{ rows: MessageRow[]; more: boolean }> {
  const rows = await base(db, window)
    .where("id", ">", after)
    .orderBy("id")
    .limit(window.limit + 1)
    .execute();
  return { rows: rows.slice(0, window.limit), more: rows.length > window.limit };
}

export const byClientId = (db: Db, accountId: number, projectId: number, clientId: string): Promise<MessageRow | undefined> =>
  db
    .selectFrom("messages")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("project_id", "=", projectId)
    .where("client_id", "=", clientId)
    .executeTakeFirst();

export const messageIn = (db: Db, projectId: number, id: number): Promise<MessageRow | undefined> =>
  db.selectFrom("messages").selectAll().where("project_id", "=", projectId).where("id", "=", id).executeTakeFirst();

/** Inserts and makes it the project's newest. Who had read everything before it has read it too. */
export async function insertMessage(tx: Tx, values: NewRow<"messages">): Promise<MessageRow> {
  const row = await tx.insertInto("messages").values(values).returningAll().executeTakeFirstOrThrow();
  await tx
    .updateTable("read_markers")
    .set({ last_read_message_id: row.id, moved_at: row.created_at })
    .where("project_id", "=", row.project_id)
    .where("account_id", "=", row.account_id)
    .where("last_read_message_id", ">=", (eb) =>
      eb
        .selectFrom("projects")
        .select((newest) => newest.fn.coalesce("last_message_id", newest.lit(0)).as("newest"))
        .where("id", "=", row.project_id),
    )
    .execute();
  await tx.updateTable("projects").set({ last_message_id: row.id }).where("id", "=", row.project_id).execute();
  return row;
}
