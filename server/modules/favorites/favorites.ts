/** An account's favorites, which nobody else sees. */
import type { FavoriteType } from "../../../contract/favorite-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { assertCan, type Actor } from "../../access/access.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { Row } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { conflict } from "../../lib/errors.ts";
import { loadItem, type ItemReference } from "./items.ts";
import { loadListedPage, type ListedPage } from "./listed-page.ts";
import type { Listed } from "./presenter.ts";

export type Favorites = ReturnType<typeof createFavorites>;

export function createFavorites({ database, events, clock }: ModuleDeps) {
  return {
    list(actor: Actor, type: FavoriteType | null, { after, limit }: { after: number; limit: number }): Promise<ListedPage<Row<"favorites">>> {
      assertCan(actor, "self", {}, "");
      return loadListedPage(database.read, actor, limit, after, (before, count) => {
        let query = database.read.selectFrom("favorites").selectAll().where("account_id", "=", actor.accountId);
        if (type !== null) query = query.where("item_type", "=", type);
        if (before > 0) query = query.where("id", "<", before);
        return query.orderBy("id", "desc").limit(count).execute();
      });
    },

    /** Returns the favorite, also if it exists already. */
    add(actor: Actor, reference: ItemReference): Promise<Listed<Row<"favorites">>> {
      assertCan(actor, "self", {}, "");
      return database.write(async (tx) => {
        const item = await loadItem(tx, actor, reference);
        await events.lock(tx, topicOf.account(actor.accountId));
        const own = tx.selectFrom("favorites").where("account_id", "=", actor.accountId);
        const existing = await own.selectAll().where("item_type", "=", reference.type).where("item_id", "=", reference.id).executeTakeFirst();
        if (existing) return { row: existing, item };
        const { count } = await own.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
        if (count >= LIMITS.favorites) throw conflict(`You can have at most ${LIMITS.favorites} favorites. Remove one first.`);
        const row = await tx
          .insertInto("favorites")
          .values({ account_id: actor.accountId, item_type: reference.type, item_id: reference.id, created_at: clock.now() })
          .returningAll()
          .executeTakeFirstOrThrow();
        await events.append(tx, topicOf.account(actor.accountId), "favorites.changed", {});
        return { row, item };
      });
    },

    /** Removes the favorite if there is one, also of an item that the account no longer sees. */
    remove(actor: Actor, { type, id }: ItemReference): Promise<void> {
      assertCan(actor, "self", {}, "");
      return database.write(async (tx) => {
        await events.lock(tx, topicOf.account(actor.accountId));
        const { numDeletedRows } = await tx
          .deleteFrom("favorites")
          .where("account_id", "=", actor.accountId)
          .where("item_type", "=", type)
          .where("item_id", "=", id)
          .executeTakeFirst();
        if (numDeletedRows > 0n) await events.append(tx, topicOf.account(actor.accountId), "favorites.changed", {});
      });
    },
  };
}
