/** Unread notifications: publishes new unread counts to readers whose counts change when an unread message changes. */
import { sql } from "kysely";
import type { Row, Tx } from "../../db/schema.ts";
import { topicOf, type EventLog } from "../../events/log.ts";
import { mentionCount, unreadCount } from "../projects/unread.ts";

type MessageRef = Pick<Row<"messages">, "id" | "project_id" | "account_id">;
export interface UnreadCounts {
  account_id: number;
  last_read_message_id: number;
  unread_count: number;
  mention_count: number;
}

/** Loads the counts of readers who have not read the message, limited to `accountIds` if set. */
export async function loadUnreadCounts(tx: Tx, message: MessageRef, accountIds: readonly number[] | null = null): Promise<UnreadCounts[]> {
  if (accountIds?.length === 0) return [];
  const [reader, lastRead, project] = ["account_id", "last_read_message_id", "project_id"].map((column) => sql.ref(`read_markers.${column}`)) as ColumnRefs;
  const query = tx
    .selectFrom("read_markers")
    .select(["account_id", "last_read_message_id"])
    .select(unreadCount(reader, project, lastRead).as("unread_count"))
    .select(mentionCount(reader, project, lastRead).as("mention_count"))
    .where("project_id", "=", message.project_id)
    .where("last_read_message_id", "<", message.id)
    .where("account_id", "!=", message.account_id);
  return (accountIds === null ? query : query.where("account_id", "in", [...accountIds])).execute();
}
type ColumnRefs = [ReturnType<typeof sql.ref>, ReturnType<typeof sql.ref>, ReturnType<typeof sql.ref>];

/** Publishes the counts that differ from `before`, at the end of the transaction: the last event matches the final counts even while somebody reads. */
export const publishUnreadCounts = (tx: Tx, events: EventLog, message: MessageRef, before: readonly UnreadCounts[]): void =>
  events.atEnd(
    tx,
    before.map(({ account_id }) => topicOf.account(account_id)),
    async () => {
      const previousByAccount = new Map(before.map((counts) => [counts.account_id, counts]));
      const current = await loadUnreadCounts(tx, message, [...previousByAccount.keys()]);
      const changed = current.filter(({ account_id, unread_count, mention_count }) => {
        const previous = previousByAccount.get(account_id);
        return previous?.unread_count !== unread_count || previous.mention_count !== mention_count;
      });
      await events.appendMany(
        tx,
        changed.map(({ account_id, ...counts }) => ({
          topic: topicOf.account(account_id),
          type: "read.moved",
          data: { project_id: message.project_id, ...counts },
        })),
      );
    },
  );
