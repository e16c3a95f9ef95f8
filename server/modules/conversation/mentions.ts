/** Parses and stores mentions: `<@id>` in a body counts if the account sees the project. */
import { LIMITS } from "../../../contract/limits.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { invalid } from "../../lib/errors.ts";
import { audienceOf } from "../projects/repository.ts";

const MENTION = /<@([1-9]\d{0,14})>/g;

/** Returns the distinct account ids mentioned in a body, without checking whether they see the project. */
export const parseMentions = (body: string): number[] => [...new Set([...body.matchAll(MENTION)].map(([, id]) => Number(id)))];

/** Stores the body's mentions of accounts that see the project, and returns their ids; other mentions stay plain text. */
export async function storeMentions(tx: Tx, message: Pick<Row<"messages">, "id" | "project_id">, body: string): Promise<number[]> {
  const mentionedIds = parseMentions(body);
  if (mentionedIds.length === 0) return [];
  const accounts = await audienceOf(tx, message.project_id).where("accounts.id", "in", mentionedIds).select("accounts.id").execute();
  if (accounts.length > LIMITS.mentions_per_message) throw invalid("body", `must mention at most ${LIMITS.mentions_per_message} people`);
  if (accounts.length === 0) return [];
  await tx
    .insertInto("message_mentions")
    .values(accounts.map(({ id }) => ({ account_id: id, project_id: message.project_id, message_id: message.id })))
    .execute();
  return accounts.map(({ id }) => id);
}

export async function replaceMentions(tx: Tx, message: Pick<Row<"messages">, "id" | "project_id">, body: string): Promise<number[]> {
  await tx.deleteFrom("message_mentions").where("message_id", "=", message.id).execute();
  return storeMentions(tx, message, body);
}
