/** Fills favorites and recent items to their limits, with the longest records. */
import type { Operation } from "../../../contract/define-operation.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { operations } from "../../../contract/operations/all.ts";
import type { Tx } from "../../db/schema.ts";
import type { Fixtures } from "../fixtures.ts";
import { range } from "./fill.ts";
import { byCursor, LONG_TEXT, type ListCase } from "./paged-lists.ts";

const LONG_NAME = "\u{1F3B5}".repeat(100);

async function insertLongMessages(tx: Tx, { home, member }: Fixtures): Promise<number[]> {
  const row = { project_id: home.project, account_id: member.id, type: "message", is_audio_message: 0 as const, revision: 1, created_at: 1, body: LONG_TEXT };
  const rows = range(LIMITS.favorites, () => row);
  return (await tx.insertInto("messages").values(rows).returning("id").execute()).map(({ id }) => id);
}

const insertPlaylists = async (tx: Tx, { home, member }: Fixtures): Promise<number[]> => {
  const row = { project_id: home.project, name: LONG_NAME, created_by: member.id, created_at: 1, updated_at: 1 };
  const rows = range(LIMITS.recent_items, () => row);
  return (await tx.insertInto("playlists").values(rows).returning("id").execute()).map(({ id }) => id);
};

export const FAVORITE_CASES: [string, Operation, ListCase][] = [
  [
    "listFavorites",
    operations.listFavorites,
    {
      records: LIMITS.favorites,
      async prepare(tx, fixtures) {
        const row = { account_id: fixtures.member.id, item_type: "message" as const, created_at: 1 };
        const ids = await insertLongMessages(tx, fixtures);
        await tx
          .insertInto("favorites")
          .values(ids.map((item_id) => ({ ...row, item_id })))
          .execute();
        return byCursor({ query: {} }, "query", LIMITS.history_max);
      },
    },
  ],
  [
    "listRecentItems",
    operations.listRecentItems,
    {
      records: LIMITS.recent_items,
      async prepare(tx, fixtures) {
        const row = { account_id: fixtures.member.id, item_type: "playlist" as const, opened_at: 1 };
        const ids = await insertPlaylists(tx, fixtures);
        await tx
          .insertInto("recent_items")
          .values(ids.map((item_id) => ({ ...row, item_id })))
          .execute();
        return byCursor({ query: {} }, "query", LIMITS.history_max / 4);
      },
    },
  ],
];
