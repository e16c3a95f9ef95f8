/** A thread merges the index of messages instead of the commits that add messages, and only when there are eight segments of about the same size instead of four. */
import { sql } from "kysely";
import type { Migration } from "./migration.ts";

export const indexMerges: Migration = {
  name: "046-index-merges",
  async up(tx, engine) {
    if (engine !== "sqlite") return;
    await sql`insert into message_search (message_search, rank) values ('automerge', 0)`.execute(tx);
    await sql`insert into message_search (message_search, rank) values ('usermerge', 8)`.execute(tx);
  },
};
