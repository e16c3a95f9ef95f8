/** Creates favorites and recent items. `item_id` refers to the table of its type. */
import { createTableWithId } from "../engine-sql.ts";
import { notNull, requiredReference, type Migration } from "./migration.ts";

export const favorites: Migration = {
  name: "022-favorites",
  async up(tx, engine) {
    await createTableWithId(tx, engine, "favorites")
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("item_type", "text", notNull)
      .addColumn("item_id", "bigint", notNull)
      .addColumn("created_at", "bigint", notNull)
      .execute();
    await tx.schema.createIndex("favorites_item").on("favorites").columns(["account_id", "item_type", "item_id"]).unique().execute();
    await tx.schema.createIndex("favorites_account").on("favorites").columns(["account_id", "id"]).execute();

    await createTableWithId(tx, engine, "recent_items")
      .addColumn("account_id", "bigint", requiredReference("accounts.id"))
      .addColumn("item_type", "text", notNull)
      .addColumn("item_id", "bigint", notNull)
      .addColumn("opened_at", "bigint")
      .addColumn("played_at", "bigint")
      .execute();
    await tx.schema.createIndex("recent_items_item").on("recent_items").columns(["account_id", "item_type", "item_id"]).unique().execute();
    await tx.schema.createIndex("recent_items_account").on("recent_items").columns(["account_id", "id"]).execute();
  },
};
