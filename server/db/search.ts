/** The search index of messages. */
import { hasLink } from "../../contract/links.ts";
import { tokenizeForIndex } from "../../contract/search-tokens.ts";
import type { Engine } from "./database.ts";
import type { Row, Tx } from "./schema.ts";
import { FILTER_TOKEN, upsertSearchDocuments } from "./search-index.ts";

/** Messages per statement. */
const BATCH_SIZE = 2_000;

export type IndexedMessage = Pick<Row<"messages">, "project_id" | "account_id" | "body" | "created_at">;

export function filterTokens(facts: { projectId: number; accountId: number; createdAt: number; link: boolean; file: boolean }): string[] {
  const filters = [
    FILTER_TOKEN.project(facts.projectId),
    FILTER_TOKEN.account(facts.accountId),
    FILTER_TOKEN.year(facts.createdAt),
    FILTER_TOKEN.month(facts.createdAt),
  ];
  if (facts.link) filters.push(FILTER_TOKEN.link);
  if (facts.file) filters.push(FILTER_TOKEN.file);
  return filters;
}

/** Returns the tokens of a message's text, and its filter tokens. */
export const searchTokens = (row: IndexedMessage, hasFile: boolean): string[] => [
  ...tokenizeForIndex(row.body),
  ...filterTokens({ projectId: row.project_id, accountId: row.account_id, createdAt: row.created_at, link: hasLink(row.body), file: hasFile }),
];

/** Indexes every message that is not deleted: for a migration that creates the index, or one that follows a change of the tokenizer. */
export async function fillSearchIndex(tx: Tx, engine: Engine): Promise<void> {
  for (let last = 0; ;) {
    const rows = await tx
      .selectFrom("messages")
      .select(["id", "project_id", "account_id", "body", "created_at"])
      .select(({ exists, selectFrom }) => exists(selectFrom("attachments").select("position").whereRef("message_id", "=", "messages.id")).as("has_file"))
      .where("deleted_at", "is", null)
      .where("id", ">", last)
      .orderBy("id")
      .limit(BATCH_SIZE)
      .execute();
    last = rows.at(-1)?.id ?? 0;
    if (rows.length === 0) return;
    await upsertSearchDocuments(
      tx,
      engine,
      "message",
      rows.map((row) => ({ id: row.id, tokens: searchTokens(row, Boolean(row.has_file)) })),
    );
  }
}
