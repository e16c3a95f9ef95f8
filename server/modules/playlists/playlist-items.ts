/** The files of a playlist: adding, moving, removing and pinning them. Each change increases the playlist's revision and appends one event. */
import { sql } from "kysely";
import type { Actor } from "../../access/access.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import { MAX_INT4, padIds } from "../../db/engine-sql.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { invalid, notFound } from "../../lib/errors.ts";
import type { FileViewDeps } from "../files/deps.ts";
import { insertItems, type NewItem } from "./new-items.ts";
import type { PlaylistItemView, PlaylistView } from "./presenter.ts";
import { changePlaylist } from "./publish.ts";
import { loadAuthorizedPlaylist, loadItems, loadPlaylistView, lockPlaylist } from "./repository.ts";

/** Writes the positions of the items that are not at their place. Ids and positions are integers of ours, so they need no parameters. */
async function writeOrder(tx: Tx, items: readonly Pick<Row<"playlist_items">, "id" | "position">[]): Promise<boolean> {
  const moved = items.flatMap(({ id, position }, index) => (position === index ? [] : [{ id, position: index }]));
  if (moved.length === 0) return false;
  const cases = moved.map(({ id, position }) => sql`when ${sql.lit(id)} then ${sql.lit(position)}`);
  await tx
    .updateTable("playlist_items")
    .set({ position: sql<number>`case id ${sql.join(cases, sql` `)} end` })
    .where(
      "id",
      "in",
      moved.map(({ id }) => id),
    )
    .execute();
  return true;
}

const selectOrder = (tx: Tx, playlistId: number) =>
  tx.selectFrom("playlist_items").select(["id", "position"]).where("playlist_id", "=", playlistId).orderBy("position").execute();

export function createPlaylistItems(deps: FileViewDeps) {
  const { database, events, clock, present } = deps;

  /** Throws a 400 unless the actor sees all of these items of the playlist. */
  async function assertVisibleItems(tx: Tx, actor: Actor, playlistId: number, ids: readonly number[]): Promise<void> {
    const visible = new Set((await loadItems(tx, present, actor, playlistId, ids)).map(({ item }) => item.id));
    const wrong = ids.findIndex((id) => !visible.has(id));
    if (wrong !== -1) throw invalid(`item_ids.${wrong}`, "must be an item of this playlist");
  }

  return {
    async list(actor: Actor, playlistId: number): Promise<PlaylistItemView[]> {
      const { id } = await loadAuthorizedPlaylist(database.read, actor, "playlist.read", playlistId);
      return loadItems(database.read, present, actor, id);
    },

    /** Returns the new items. A repeated request returns those of the first result that still exist. */
    add(actor: Actor, playlistId: number, items: readonly NewItem[], beforeId: number | null, key: IdempotencyKey | null): Promise<PlaylistItemView[]> {
      return database.write(async (tx) => {
        const playlist = await lockPlaylist(tx, events, actor, "playlist.edit", playlistId);
        const ids = await runIdempotent(tx, actor, key, clock.now(), async () => {
          const inserted = await insertItems(tx, actor, playlist, items, beforeId, clock.now());
          await changePlaylist(tx, deps, playlist.id);
          return inserted;
        });
        return loadItems(tx, present, actor, playlist.id, ids);
      });
    },

    /** Moves the items, in this order, before the item with the id `beforeId` (null: to the end). */
    move(actor: Actor, playlistId: number, ids: readonly number[], beforeId: number | null): Promise<PlaylistView> {
      return database.write(async (tx) => {
        let playlist = await lockPlaylist(tx, events, actor, "playlist.edit", playlistId);
        if (new Set(ids).size !== ids.length) throw invalid("item_ids", "must not contain an item twice");
        await assertVisibleItems(tx, actor, playlist.id, ids);
        const order = await selectOrder(tx, playlist.id);
        const others = order.filter(({ id }) => !ids.includes(id));
        const at = beforeId === null ? others.length : others.findIndex(({ id }) => id === beforeId);
        if (at === -1) throw invalid("before_item_id", "must be another item of this playlist");
        const moved = ids.flatMap((id) => order.find((item) => item.id === id) ?? []);
        if (await writeOrder(tx, others.toSpliced(at, 0, ...moved))) playlist = await changePlaylist(tx, deps, playlist.id);
        return loadPlaylistView(tx, actor, playlist);
      });
    },

    /** Ignores items that the playlist does not have any more. */
    remove(actor: Actor, playlistId: number, ids: readonly number[]): Promise<PlaylistView> {
      return database.write(async (tx) => {
        let playlist = await lockPlaylist(tx, events, actor, "playlist.edit", playlistId);
        const found = (await loadItems(tx, present, actor, playlist.id, ids)).map(({ item }) => item.id);
        if (found.length > 0) {
          await tx.deleteFrom("playlist_items").where("id", "in", padIds(found)).execute();
          await writeOrder(tx, await selectOrder(tx, playlist.id));
          playlist = await changePlaylist(tx, deps, playlist.id);
        }
        return loadPlaylistView(tx, actor, playlist);
      });
    },

    /** Pins an item to the version with this number, or lets it play the newest one (null). */
    pin(actor: Actor, playlistId: number, itemId: number, version: number | null): Promise<PlaylistItemView> {
      return database.write(async (tx) => {
        const playlist = await lockPlaylist(tx, events, actor, "playlist.edit", playlistId);
        const [view] = await loadItems(tx, present, actor, playlist.id, [itemId]);
        if (!view) throw notFound("item of this playlist");
        const pinned =
          version === null
            ? null
            : await tx
                .selectFrom("file_versions")
                .select("id")
                .where("file_id", "=", view.item.file_id)
                .where("number", "=", Math.min(version, MAX_INT4))
                .where("kind", "=", "audio")
                .executeTakeFirst();
        if (pinned === undefined) throw invalid("version", "must be a version of this file that is audio");
        const version_id = pinned?.id ?? null;
        if (version_id === view.item.version_id) return view;
        await tx.updateTable("playlist_items").set({ version_id }).where("id", "=", itemId).execute();
        await changePlaylist(tx, deps, playlist.id);
        const [changed] = await loadItems(tx, present, actor, playlist.id, [itemId]);
        return changed ?? view;
      });
    },
  };
}
