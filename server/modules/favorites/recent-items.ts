/** What an account last opened and played, which nobody else sees. */
import type { RecentAction, RecentType } from "../../../contract/favorite-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { assertCan, type Actor } from "../../access/access.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { loadItem, type ItemReference } from "./items.ts";
import { loadListedPage, type ListedPage } from "./listed-page.ts";
import type { Listed } from "./presenter.ts";

type RecentRow = Row<"recent_items">;
type RecentReference = ItemReference & { type: RecentType };
export type RecentItems = ReturnType<typeof createRecentItems>;

/** Doing the same with the newest item again within this time changes nothing, so that reloading a page writes nothing. */
const REPEAT_MS = 60_000;

const ownItems = (db: Db, actor: Actor) => db.selectFrom("recent_items").where("account_id", "=", actor.accountId);

export function createRecentItems({ database, events, clock }: ModuleDeps) {
  /** Each change locks the account's topic first, so that two changes wait for each other instead of for locks of each other. */
  const lock = (tx: Tx, actor: Actor) => events.lock(tx, topicOf.account(actor.accountId));
  const publish = (tx: Tx, actor: Actor) => events.append(tx, topicOf.account(actor.accountId), "recent_items.changed", {});

  const findRow = (db: Db, actor: Actor, { type, id }: RecentReference): Promise<RecentRow | undefined> =>
    ownItems(db, actor).selectAll().where("item_type", "=", type).where("item_id", "=", id).executeTakeFirst();

  async function isNewest(db: Db, actor: Actor, row: RecentRow): Promise<boolean> {
    const newest = await ownItems(db, actor).select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
    return newest?.id === row.id;
  }

  /** Returns the row if it already says what is to be recorded. */
  async function findRepeated(db: Db, actor: Actor, reference: RecentReference, action: RecentAction): Promise<RecentRow | undefined> {
    const row = await findRow(db, actor, reference);
    const recordedAt = row?.[`${action}_at`] ?? null;
    return row && recordedAt !== null && recordedAt > clock.now() - REPEAT_MS && (await isNewest(db, actor, row)) ? row : undefined;
  }

  async function deleteOldest(tx: Tx, actor: Actor): Promise<void> {
    const newestSurplus = ownItems(tx, actor).select("id").orderBy("id", "desc").limit(1).offset(LIMITS.recent_items);
    await tx.deleteFrom("recent_items").where("account_id", "=", actor.accountId).where("id", "<=", newestSurplus).execute();
  }

  return {
    list(actor: Actor, type: RecentType | null, { after, limit }: { after: number; limit: number }): Promise<ListedPage<RecentRow>> {
      assertCan(actor, "self", {}, "");
      return loadListedPage(database.read, actor, limit, after, (before, count) => {
        let query = ownItems(database.read, actor).selectAll();
        if (type !== null) query = query.where("item_type", "=", type);
        if (before > 0) query = query.where("id", "<", before);
        return query.orderBy("id", "desc").limit(count).execute();
      });
    },

    async record(actor: Actor, reference: RecentReference, action: RecentAction): Promise<Listed<RecentRow>> {
      assertCan(actor, "self", {}, "");
      const item = await loadItem(database.read, actor, reference);
      const repeated = await findRepeated(database.read, actor, reference, action);
      if (repeated) return { row: repeated, item };
      return database.write(async (tx) => {
        await lock(tx, actor);
        const before = await findRow(tx, actor, reference);
        if (before) await tx.deleteFrom("recent_items").where("id", "=", before.id).execute();
        const { opened_at = null, played_at = null } = before ?? {};
        const row = await tx
          .insertInto("recent_items")
          .values({ account_id: actor.accountId, item_type: reference.type, item_id: reference.id, opened_at, played_at, [`${action}_at`]: clock.now() })
          .returningAll()
          .executeTakeFirstOrThrow();
        await deleteOldest(tx, actor);
        await publish(tx, actor);
        return { row, item };
      });
    },

    /** Removes the item if it is one of the recent ones, also if the account no longer sees it. */
    remove(actor: Actor, { type, id }: RecentReference): Promise<void> {
      assertCan(actor, "self", {}, "");
      return database.write(async (tx) => {
        await lock(tx, actor);
        const deletion = tx.deleteFrom("recent_items").where("account_id", "=", actor.accountId).where("item_type", "=", type).where("item_id", "=", id);
        if ((await deletion.executeTakeFirst()).numDeletedRows > 0n) await publish(tx, actor);
      });
    },

    clear(actor: Actor): Promise<void> {
      assertCan(actor, "self", {}, "");
      return database.write(async (tx) => {
        await lock(tx, actor);
        const { numDeletedRows } = await tx.deleteFrom("recent_items").where("account_id", "=", actor.accountId).executeTakeFirst();
        if (numDeletedRows > 0n) await publish(tx, actor);
      });
    },
  };
}
