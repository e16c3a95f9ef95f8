/** Playlists that messages show. A message shows a playlist of its own project, so whoever sees the message sees the playlist. */
import type { MessagePlaylist } from "../../../contract/records.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db, Tx } from "../../db/schema.ts";
import { invalid } from "../../lib/errors.ts";

/** Throws a 400 unless this is a playlist of the project. A deleted one is shown as such, as if it had been deleted after the message was sent. */
export async function assertPlaylistOfProject(tx: Tx, projectId: number, id: number): Promise<void> {
  const playlist = await tx.selectFrom("playlists").select("id").where("id", "=", id).where("project_id", "=", projectId).executeTakeFirst();
  if (!playlist) throw invalid("playlist_id", "must be a playlist of this project");
}

/** Returns what messages show of these playlists, by their ids; a deleted one has no name. */
export async function loadMessagePlaylists(db: Db, ids: readonly number[]): Promise<Map<number, MessagePlaylist>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("playlists")
    .select(["id", "name", "deleted_at"])
    .where("id", "in", padIds([...new Set(ids)]))
    .execute();
  return new Map(rows.map(({ id, name, deleted_at }) => [id, { id, name: deleted_at === null ? name : "", deleted: deleted_at !== null }]));
}
