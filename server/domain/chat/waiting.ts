/** Those who have not read a message yet: what becomes of it changes their counts of unread messages, and they are told where it really does. */
import { sql } from "kysely";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf, type EventLog } from "../../events/log.ts";
import { mentionCount, unreadCount } from "../unread.ts";

type Place = Pick<Row<"messages">, "id" | "project_id" | "account_id">;
export interface Waiting {
  account_id: number;
  last_read_message_id: number;
  unread_count: number;
  mention_count: number;
}

/** Their counts as they stand; `among`: only these people. By account, so that everybody locks their topics in one order. */
export async function waitingFor(tx: Tx, message: Place, among: readonly number[] | null = null): Promise<Waiting[]> {
  if (among?.length === 0) return [];
  const [reader, lastRead, project] = ["account_id", "last_read_message_id", "project_id"].map((column) => sql.ref(`read_markers.${column}`)) as Refs;
  const all = tx
    .selectFrom("read_markers")
    .select(["account_id", "last_read_message_id"])
    .select(unreadCount(reader, project, lastRead).as("unread_count"))
    .select(mentionCount(reader, project, lastRead).as("mention_count"))
    .where("project_id", "=", message.project_id)
    .where("last_read_message_id", "<", message.id)
    .where("account_id", "!=", message.account_id)
    .orderBy("account_id");
  return (among === null ? all : all.where("account_id", "in", [...among])).execute();
}
type Refs = [ReturnType<typeof sql.ref>, ReturnType<typeof sql.ref>, ReturnType<typeof sql.ref>];

/** Tells those whose counts are other ones than before. */
export async function tellWaiting(tx: Tx, events: EventLog, message: Place, before: readonly Waiting[]): Promise<void> {
  // In turn with their own reading: what is told last is what stands.
  for (const { account_id } of before) await events.lock(tx, topicOf.account(account_id));
  const known = new Map(before.map((one) => [one.account_id, one]));
  for (const now of await waitingFor(tx, message, [...known.keys()])) {
    const then = known.get(now.account_id);
    if (then?.unread_count === now.unread_count && then.mention_count === now.mention_count) continue;
    const { account_id, ...counts } = now;
    await events.append(tx, topicOf.account(account_id), "read.moved", { project_id: message.project_id, ...counts });
  }
}
