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

export type ItemFile = Pick<Row<"playlist_items">, "file_id" | "version_id">;

/** Returns the rows of these items. Throws a 400 unless each is a file of the playlist's team that the actor sees, and the version that plays is audio. */
async function loadItemFiles(tx: Tx, actor: Actor, projectId: number, items: readonly NewItem[]): Promise<ItemFile[]> {
  const fileIds = padIds([...new Set(items.map(({ fileId }) => fileId))]);
  const files = await visibleFiles(tx, actor)
    .innerJoin("projects", "projects.id", "files.project_id")
    .leftJoin("file_versions", "file_versions.id", "files.version_id")
    .select(["files.id", "file_versions.kind"])
    .where("files.id", "in", fileIds)
    .where("projects.team_id", "=", (eb) => eb.selectFrom("projects").select("team_id").where("id", "=", projectId))
    .execute();
  const numbers = [...new Set(items.flatMap(({ version }) => version ?? []))].map((number) => Math.min(number, MAX_INT4));
  const versions = await (numbers.length === 0
    ? []
    : tx
        .selectFrom("file_versions")
        .select(["id", "file_id", "number"])
        .where("file_id", "in", fileIds)
        .where("number", "in", padIds(numbers))
        .where("kind", "=", "audio")
        .execute());
  const kindById = new Map(files.map(({ id, kind }) => [id, kind]));
  return items.map(({ fileId, version }, index) => {
    const isWrong = !kindById.has(fileId) || (version === null && kindById.get(fileId) !== "audio");
    if (isWrong) throw invalid(`items.${index}.file_id`, "must be an audio file of this team");
    const pinned = versions.find((row) => row.file_id === fileId && row.number === version);
    if (version !== null && !pinned) throw invalid(`items.${index}.version`, "must be a version of this file that is audio");
    return { file_id: fileId, version_id: pinned?.id ?? null };
  });
}

/** Appends rows at the positions from `first` on, which are free, and returns their ids. */
export async function insertItemRows(
  tx: Tx,
  actor: Actor,
  playlistId: number,
  files: readonly ItemFile[],
  { first, now }: { first: number; now: number },
): Promise<number[]> {
  if (files.length === 0) return [];
  const row = { playlist_id: playlistId, added_by: actor.accountId, added_at: now };
  const rows = await tx
    .insertInto("playlist_items")
    .values(files.map((file, index) => ({ ...row, ...file, position: first + index })))
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
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
  const files = await loadItemFiles(tx, actor, playlist.project_id, items);
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
  return insertItemRows(tx, actor, playlist.id, files, { first, now });
}
