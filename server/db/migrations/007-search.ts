/** Full text search of chats, with what was written before. */
import { hasLink, indexWords } from "../../../contract/search-words.ts";
import type { Migration } from "../portable.ts";
import { marksOf, createSearch, putSearchable } from "../search.ts";

const BATCH = 2_000;

export const search: Migration = {
  name: "007-search",
  async up(tx, engine) {
    await createSearch(tx, engine);
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
      const marked = (row: (typeof rows)[number]) =>
        marksOf({ projectId: row.project_id, accountId: row.account_id, createdAt: row.created_at, link: hasLink(row.body), file: Boolean(row.has_file) });
      await putSearchable(
        tx,
        engine,
        rows.map((row) => ({ id: row.id, words: [...indexWords(row.body), ...marked(row)] })),
      );
    }
  },
};
