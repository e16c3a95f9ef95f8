/** How far each reader has come in a file's comments: forward only. */
import { sql } from "kysely";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { topicOf, type EventLog } from "../../events/log.ts";
import { presentReadState, type ReadState } from "../../presenters/comments.ts";
import type { Actor } from "../access.ts";
import type { DomainDeps } from "../deps.ts";
import { subjectFor } from "../subject.ts";
import { hasUnread, readUpTo } from "../unread-comments.ts";
import { newestOf } from "./repository.ts";

type Place = Pick<Row<"files">, "id" | "project_id">;
/** To who does not follow the project nothing is unread. */
export async function readState(db: Db, accountId: number, { id, project_id }: Place): Promise<ReadState> {
  const { up_to, unread } = await db
    .selectFrom("files")
    .select([readUpTo(accountId, id, project_id).as("up_to"), hasUnread(accountId, id, project_id).as("unread")])
    .where("files.id", "=", id)
    .executeTakeFirstOrThrow();
  return { fileId: id, projectId: project_id, lastRead: up_to ?? (await newestOf(db, id)), unread: Boolean(unread) };
}

/** Who comments on a file hears of what follows there. What they had not read before stays unread. */
export async function followFile(tx: Tx, accountId: number, { id, project_id }: Place, newest: number): Promise<void> {
  await sql`insert into comment_reads (account_id, file_id, last_read_comment_id)
    values (${accountId}, ${id}, coalesce((select comments_since from read_markers where account_id = ${accountId} and project_id = ${project_id}), ${newest}))
    on conflict do nothing`.execute(tx);
}

/** Whether the file has unread comments, of everybody who follows it, by account. */
export async function unreadOfAll(tx: Tx, { id, project_id }: Place): Promise<Map<number, boolean>> {
  const { rows } = await sql<{ account_id: number; unread: boolean | number }>`
    select account_id, ${hasUnread(sql.ref("followers.account_id"), id, project_id)} as unread from (
      select account_id from read_markers where project_id = ${project_id} union select account_id from comment_reads where file_id = ${id}
    ) followers order by account_id`.execute(tx);
  return new Map(rows.map(({ account_id, unread }) => [account_id, Boolean(unread)]));
}

/** Tells those for whom it is another one than before. In one order for everybody, and in turn with their own reading. */
export async function tellReaders(tx: Tx, events: EventLog, file: Place, before: ReadonlyMap<number, boolean>): Promise<void> {
  for (const account of before.keys()) await events.lock(tx, topicOf.account(account));
  const changed = [...(await unreadOfAll(tx, file))].filter(([account, unread]) => before.get(account) !== unread);
  for (const [account] of changed) await events.append(tx, topicOf.account(account), "comments.read", presentReadState(await readState(tx, account, file)));
}

export function createCommentReads({ database, events }: DomainDeps) {
  return {
    /** Never past the newest comment. Who looks for the first time follows the file from now on. */
    markRead(actor: Actor, fileId: number, commentId: number): Promise<ReadState> {
      return database.write(async (tx) => {
        const file = await subjectFor(tx, actor, "comment.read", fileId);
        // In turn with this person's other pages: the order of the events is that of the moves.
        await events.lock(tx, topicOf.account(actor.accountId));
        const known = await tx
          .selectFrom("comment_reads")
          .select("last_read_comment_id")
          .where("account_id", "=", actor.accountId)
          .where("file_id", "=", file.id)
          .executeTakeFirst();
        const before = await readState(tx, actor.accountId, file);
        const target = Math.max(Math.min(commentId, await newestOf(tx, file.id)), known ? 0 : before.lastRead);
        if (known && target <= known.last_read_comment_id) return before;
        await tx
          .insertInto("comment_reads")
          .values({ account_id: actor.accountId, file_id: file.id, last_read_comment_id: target })
          .onConflict((on) => on.columns(["account_id", "file_id"]).doUpdateSet({ last_read_comment_id: target }))
          .execute();
        const state = await readState(tx, actor.accountId, file);
        if (state.lastRead !== before.lastRead) await events.append(tx, topicOf.account(actor.accountId), "comments.read", presentReadState(state));
        return state;
      });
    },
  };
}
