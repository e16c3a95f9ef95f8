/** Parses and stores mentions: `<@id>` in a body counts if the account sees the project. */
import { LIMITS } from "../../../contract/limits.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { invalid } from "../../lib/errors.ts";
import { audienceOf } from "../projects/repository.ts";

const MENTION = /<@([1-9]\d{0,14})>/g;

/** Returns the distinct account ids mentioned in a body, without checking whether they see the project. */
export const parseMentions = (body: string): number[] => [...new Set([...body.matchAll(MENTION)].map(([, id]) => Number(id)))];

/** Returns the accounts that the body mentions and that see the project; other mentions stay plain text. */
async function findMentioned(tx: Tx, projectId: number, body: string): Promise<number[]> {
  const mentionedIds = parseMentions(body);
  if (mentionedIds.length === 0) return [];
  const accounts = await audienceOf(tx, projectId).where("accounts.id", "in", mentionedIds).select("accounts.id").execute();
  if (accounts.length > LIMITS.mentions_per_message) throw invalid("body", `must mention at most ${LIMITS.mentions_per_message} people`);
  return accounts.map(({ id }) => id);
}

/** Stores the mentions of a message's body, and returns the ids of the accounts. */
export async function storeMentions(tx: Tx, message: Pick<Row<"messages">, "id" | "project_id">, body: string): Promise<number[]> {
  const ids = await findMentioned(tx, message.project_id, body);
  if (ids.length === 0) return [];
  await tx
    .insertInto("message_mentions")
    .values(ids.map((id) => ({ account_id: id, project_id: message.project_id, message_id: message.id })))
    .execute();
  return ids;
}

export async function replaceMentions(tx: Tx, message: Pick<Row<"messages">, "id" | "project_id">, body: string): Promise<number[]> {
  await tx.deleteFrom("message_mentions").where("message_id", "=", message.id).execute();
  return storeMentions(tx, message, body);
}

/** Stores the mentions of a comment's body instead of those it had, and returns the ids of the accounts. */
export async function replaceCommentMentions(tx: Tx, comment: Pick<Row<"comments">, "id" | "project_id">, body: string): Promise<number[]> {
  await tx.deleteFrom("comment_mentions").where("comment_id", "=", comment.id).execute();
  const ids = await findMentioned(tx, comment.project_id, body);
  if (ids.length > 0)
    await tx
      .insertInto("comment_mentions")
      .values(ids.map((id) => ({ comment_id: comment.id, account_id: id })))
      .execute();
  return ids;
}
