/** Adds items to a playlist: validates their files and versions, and makes room for them. */
import { LIMITS } from "../../../contract/limits.ts";
import { visibleFiles, type Actor } from "../../access/access.ts";
import { MAX_INT4, padIds } from "../../db/engine-sql.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { conflict, invalid } from "../../lib/errors.ts";

export interface NewItem {
  fileId: number;
  /** The number of the pinned version; null: the newest one. */
  version: number | null;
}

/** Returns the id of each item's pinned version. Throws a 400 unless the items are audio files of the playlist's team that the actor sees. */
async function loadVersionIds(tx: Tx, actor: Actor, projectId: number, items: readonly NewItem[]): Promise<(number | null)[]> {
  const files = await visibleFiles(tx, actor)
    .innerJoin("projects", "projects.id", "files.project_id")
    .select(["files.id", "files.kind"])
    .where("files.id", "in", padIds([...new Set(items.map(({ fileId }) => fileId))]))
    .where("projects.team_id", "=", (eb) => eb.selectFrom("projects").select("team_id").where("id", "=", projectId))
    .execute();
  const audioIds = new Set(files.flatMap(({ id, kind }) => (kind === "audio" ? [id] : [])));
  const wrong = items.findIndex(({ fileId }) => !audioIds.has(fileId));
  if (wrong !== -1) throw invalid(`items.${wrong}.file_id`, "must be an audio file of this team");
  const pinned = items.filter(({ version }) => version !== null);
  if (pinned.length === 0) return items.map(() => null);
  const versions = await tx
    .selectFrom("file_versions")
    .select(["id", "file_id", "number"])
    .where("file_id", "in", padIds([...new Set(pinned.map(({ fileId }) => fileId))]))
    .where("number", "in", padIds([...new Set(pinned.map(({ version }) => Math.min(version ?? 0, MAX_INT4)))]))
    .where("kind", "=", "audio")
    .execute();
  return items.map(({ fileId, version }, index) => {
    if (version === null) return null;
    const found = versions.find((row) => row.file_id === fileId && row.number === version);
    if (!found) throw invalid(`items.${index}.version`, "must be a version of this file that is audio");
    return found.id;
  });
}

/** Inserts the items before the item with this id (null: at the end) and returns their ids. The caller has locked the playlist's project. */
export async function insertItems(
  tx: Tx,
  actor: Actor,
  playlist: Pick<Row<"playlists">, "id" | "project_id">,
  items: readonly NewItem[],
  beforeId: number | null,
  now: number,
): Promise<number[]> {
  if (items.length === 0) return [];
  const versionIds = await loadVersionIds(tx, actor, playlist.project_id, items);
  const existing = await tx.selectFrom("playlist_items").select(["id", "position"]).where("playlist_id", "=", playlist.id).orderBy("position").execute();
  if (existing.length + items.length > LIMITS.playlist_items) throw conflict(`A playlist can have at most ${LIMITS.playlist_items} files.`);
  const following = beforeId === null ? undefined : existing.find(({ id }) => id === beforeId);
  if (beforeId !== null && !following) throw invalid("before_item_id", "must be an item of this playlist");
  const first = following?.position ?? (existing.at(-1)?.position ?? -1) + 1;
  await tx
    .updateTable("playlist_items")
    .set((eb) => ({ position: eb("position", "+", items.length) }))
    .where("playlist_id", "=", playlist.id)
    .where("position", ">=", first)
    .execute();
  const rows = await tx
    .insertInto("playlist_items")
    .values(
      items.map(({ fileId }, index) => ({
        playlist_id: playlist.id,
        position: first + index,
        file_id: fileId,
        version_id: versionIds[index] ?? null,
        added_by: actor.accountId,
        added_at: now,
      })),
    )
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}
