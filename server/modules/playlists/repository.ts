/** SQL for playlists. A playlist is visible with its project, and each of its items only with the project of its file. */
import { sql } from "kysely";
import type { NoFacts, RuleFor } from "../../../contract/policy.ts";
import { assertCan, visibleFiles, visibleProjects, type Actor } from "../../access/access.ts";
import { padIds } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { rememberFormerRows } from "../../events/former-rows.ts";
import { type EventLog, topicOf } from "../../events/log.ts";
import { toPage } from "../../http/paging.ts";
import { notFound } from "../../lib/errors.ts";
import { loadVersionsAsAttachments } from "../files/attachments.ts";
import type { FilePresenters } from "../files/presenter.ts";
import type { PlaylistCounts, PlaylistItemView, PlaylistView } from "./presenter.ts";

export type PlaylistRule = Exclude<RuleFor<{ isOwn: boolean }>, RuleFor<NoFacts>> & `playlist.${string}`;

/** Playlists of visible projects, deleted ones included. */
export const visiblePlaylists = (db: Db, actor: Actor) => visibleProjects(db, actor).innerJoin("playlists", "playlists.project_id", "projects.id");

/** The version that an item plays. */
const playedVersion = sql<number>`coalesce(playlist_items.version_id, files.version_id)`;

/** Returns the playlist; throws a 404 unless the actor sees it, and a 403 unless the rule allows it. */
export async function loadAuthorizedPlaylist(
  db: Db,
  actor: Actor,
  rule: PlaylistRule | "playlist.read",
  id: number,
  includeDeleted = false,
): Promise<Row<"playlists">> {
  const query = visiblePlaylists(db, actor).selectAll("playlists").where("playlists.id", "=", id);
  const playlist = await (includeDeleted ? query : query.where("playlists.deleted_at", "is", null)).executeTakeFirst();
  if (!playlist) throw notFound("playlist");
  assertCan(actor, rule, { isOwn: playlist.created_by === actor.accountId }, "Guests can only change playlists that they created.");
  return playlist;
}

/** Returns the playlist after locking its project, so that this transaction is the only one that changes it. */
export async function lockPlaylist(
  tx: Tx,
  events: EventLog,
  actor: Actor,
  rule: PlaylistRule | "playlist.read",
  id: number,
  includeDeleted = false,
): Promise<Row<"playlists">> {
  const { project_id } = await loadAuthorizedPlaylist(tx, actor, rule, id, includeDeleted);
  await events.lock(tx, topicOf.project(project_id));
  const playlist = await loadAuthorizedPlaylist(tx, actor, rule, id, includeDeleted);
  rememberFormerRows(tx, "playlist", [playlist]);
  return playlist;
}

/** Counts what the reader sees of these playlists, and what is hidden from them. */
async function loadCounts(db: Db, actor: Actor, ids: readonly number[]): Promise<Map<number, PlaylistCounts>> {
  const [visible, all] = await Promise.all([
    visibleFiles(db, actor)
      .innerJoin("playlist_items", "playlist_items.file_id", "files.id")
      .innerJoin("file_versions", (join) => join.on("file_versions.id", "=", playedVersion))
      .select(({ fn }) => ["playlist_items.playlist_id", fn.countAll<number>().as("items"), fn.sum<number | null>("file_versions.duration").as("duration")])
      .where("playlist_items.playlist_id", "in", padIds(ids))
      .groupBy("playlist_items.playlist_id")
      .execute(),
    db
      .selectFrom("playlist_items")
      .innerJoin("files", "files.id", "playlist_items.file_id")
      .select(({ fn }) => ["playlist_items.playlist_id", fn.countAll<number>().as("items")])
      .where("playlist_items.playlist_id", "in", padIds(ids))
      .where("files.deleted_at", "is", null)
      .groupBy("playlist_items.playlist_id")
      .execute(),
  ]);
  const visibleById = new Map(visible.map((row) => [row.playlist_id, row]));
  return new Map(
    all.map(({ playlist_id, items }) => {
      const { items: seen = 0, duration = 0 } = visibleById.get(playlist_id) ?? {};
      return [playlist_id, { items: seen, hiddenItems: items - seen, duration: duration ?? 0 }];
    }),
  );
}

const NO_ITEMS: PlaylistCounts = { items: 0, hiddenItems: 0, duration: 0 };

/** Adds to each playlist its team and what the reader sees of it. */
export async function loadPlaylistViews(db: Db, actor: Actor, playlists: readonly Row<"playlists">[]): Promise<PlaylistView[]> {
  if (playlists.length === 0) return [];
  const counts = await loadCounts(
    db,
    actor,
    playlists.map(({ id }) => id),
  );
  const projects = await db
    .selectFrom("projects")
    .select(["id", "team_id"])
    .where("id", "in", padIds([...new Set(playlists.map(({ project_id }) => project_id))]))
    .execute();
  const teamByProject = new Map(projects.map(({ id, team_id }) => [id, team_id]));
  return playlists.map((playlist) => ({ playlist, teamId: teamByProject.get(playlist.project_id) ?? 0, counts: counts.get(playlist.id) ?? NO_ITEMS }));
}

export async function loadPlaylistView(db: Db, actor: Actor, playlist: Row<"playlists">): Promise<PlaylistView> {
  const [view] = await loadPlaylistViews(db, actor, [playlist]);
  if (!view) throw notFound("playlist");
  return view;
}

export interface PlaylistFilter {
  /** null: all projects. */
  projectId: number | null;
  /** null: with any files. */
  fileId: number | null;
}

/** Returns playlists newest first; `before` is the last id of the previous page, 0 for the first one. */
export async function findPlaylistPage(db: Db, actor: Actor, { projectId, fileId }: PlaylistFilter, before: number, limit: number) {
  let query = visiblePlaylists(db, actor).selectAll("playlists").where("playlists.deleted_at", "is", null);
  if (projectId !== null) query = query.where("playlists.project_id", "=", projectId);
  if (fileId !== null)
    query = query.where("playlists.id", "in", (eb) =>
      eb.selectFrom("playlist_items").select("playlist_items.playlist_id").where("playlist_items.file_id", "=", fileId),
    );
  if (before > 0) query = query.where("playlists.id", "<", before);
  const rows = await query
    .orderBy("playlists.id", "desc")
    .limit(limit + 1)
    .execute();
  return toPage(rows, limit);
}

/** Returns the items whose files the actor sees, in order; with `ids` only those. */
export async function loadItems(
  db: Db,
  present: FilePresenters,
  actor: Actor,
  playlistId: number,
  ids: readonly number[] | null = null,
): Promise<PlaylistItemView[]> {
  const query = visibleFiles(db, actor)
    .innerJoin("playlist_items", "playlist_items.file_id", "files.id")
    .innerJoin("file_versions as newest", "newest.id", "files.version_id")
    .selectAll("playlist_items")
    .select(["files.project_id", "newest.number as newest_version", playedVersion.as("played_version_id")])
    .where("playlist_items.playlist_id", "=", playlistId);
  const rows = await (ids === null ? query : query.where("playlist_items.id", "in", padIds(ids))).orderBy("playlist_items.position").execute();
  const attachments = await loadVersionsAsAttachments(
    db,
    present,
    rows.map(({ played_version_id }) => played_version_id),
  );
  return rows.flatMap(({ project_id, newest_version, played_version_id, ...item }) => {
    const file = attachments.get(played_version_id);
    if (!file) return [];
    return [{ item, projectId: project_id, pinnedVersion: item.version_id === null ? null : (file.version ?? null), newestVersion: newest_version, file }];
  });
}
