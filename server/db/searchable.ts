/** Builds the index entries of messages: their tokens and filter tokens. */
import { hasLink } from "../../contract/links.ts";
import { tokenizeForIndex } from "../../contract/search-words.ts";
import type { Row, Tx } from "./schema.ts";
import type { Engine } from "./database.ts";
import { filterTokens, upsertSearchDocuments } from "./search.ts";

export type IndexedMessage = Pick<Row<"messages">, "project_id" | "account_id" | "body" | "created_at">;

export const searchTokens = (row: IndexedMessage, hasFile: boolean): string[] => [
  ...tokenizeForIndex(row.body),
  ...filterTokens({ projectId: row.project_id, accountId: row.account_id, createdAt: row.created_at, link: hasLink(row.body), file: hasFile }),
];

const BATCH = 2_000;

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
      .limit(BATCH)
      .execute();
    last = rows.at(-1)?.id ?? 0;
    if (rows.length === 0) return;
    await upsertSearchDocuments(
      tx,
      engine,
      rows.map((row) => ({ id: row.id, tokens: searchTokens(row, Boolean(row.has_file)) })),
    );
  }
}
