/** Loads a page of favorites or recent items, without those whose item the actor does not see. */
import type { ListedItem } from "../../../contract/favorite-records.ts";
import type { Actor } from "../../access/access.ts";
import type { Db, Row } from "../../db/schema.ts";
import { loadPage } from "../../http/paging.ts";
import { itemKey, loadItems } from "./items.ts";
import type { Listed } from "./presenter.ts";

export interface ListedPage<T> {
  views: Listed<T>[];
  /** The id after which the next page begins; null on the last one. */
  next: number | null;
}

/** `load` returns the newest rows with an id below `before`, or the newest of all if it is 0. */
export async function loadListedPage<T extends Pick<Row<"favorites">, "id" | "item_type" | "item_id">>(
  db: Db,
  actor: Actor,
  limit: number,
  after: number,
  load: (before: number, count: number) => Promise<T[]>,
): Promise<ListedPage<T>> {
  const page = await loadPage<T, Listed<T>>({
    limit,
    load: (last, count) => load(last?.id ?? after, count),
    async complete(rows) {
      const items = await loadItems(
        db,
        actor,
        rows.map(({ item_type, item_id }) => ({ type: item_type, id: item_id })),
      );
      return rows.map((row) => {
        const item: ListedItem | undefined = items.get(itemKey({ type: row.item_type, id: row.item_id }));
        return item && { row, item };
      });
    },
    present: ({ item }) => item,
  });
  return { views: page.views, next: page.hasMore ? (page.rows.at(-1)?.id ?? null) : null };
}
