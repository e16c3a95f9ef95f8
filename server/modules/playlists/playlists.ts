/** Playlists themselves: creating, renaming, duplicating, deleting and restoring. Each change appends its event in the same transaction. */
import { LIMITS } from "../../../contract/limits.ts";
import { assertCan, loadAuthorizedProject, type Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { indexRecords } from "../../db/search-documents.ts";
import { topicOf } from "../../events/log.ts";
import { conflict, notFound } from "../../lib/errors.ts";
import type { FileViewDeps } from "../files/deps.ts";
import { loadAuthorizedFile } from "../files/repository.ts";
import { insertItemRows, insertItems, type NewItem } from "./new-items.ts";
import type { PlaylistView } from "./presenter.ts";
import { changePlaylist, publishPlaylist } from "./publish.ts";
import { findPlaylistPage, loadAuthorizedPlaylist, loadItems, loadPlaylistView, loadPlaylistViews, lockPlaylist, type PlaylistFilter } from "./repository.ts";
import { RESTORABLE_MS } from "./retention.ts";

export interface PlaylistInput {
  projectId: number;
  name: string;
  gapMs: number;
  items: readonly NewItem[];
}
/** Undefined members stay unchanged. */
export interface PlaylistChanges {
  name?: string | undefined;
  gapMs?: number | undefined;
}

export function createPlaylists(deps: FileViewDeps) {
  const { database, events, clock, present } = deps;

  /** Throws a 409 if the project has as many playlists as it can have. The caller has locked the project. */
  async function assertCapacity(tx: Tx, projectId: number): Promise<void> {
    const { count } = await tx
      .selectFrom("playlists")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("project_id", "=", projectId)
      .where("deleted_at", "is", null)
      .executeTakeFirstOrThrow();
    if (count >= LIMITS.playlists_per_project)
      throw conflict(`A project can have at most ${LIMITS.playlists_per_project.toLocaleString("en-US")} playlists. Delete one first.`);
  }

  async function insertPlaylist(tx: Tx, actor: Actor, { projectId, name, gapMs, items }: PlaylistInput): Promise<number> {
    await events.lock(tx, topicOf.project(projectId));
    await assertCapacity(tx, projectId);
    const now = clock.now();
    const playlist = await tx
      .insertInto("playlists")
      .values({ project_id: projectId, name: name.trim(), gap_ms: gapMs, created_by: actor.accountId, created_at: now, updated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    await insertItems(tx, actor, playlist, items, null, now);
    await indexRecords(tx, database.engine, "playlist", [playlist.id]);
    await publishPlaylist(tx, events, "playlist.created", playlist);
    return playlist.id;
  }

  const loadCreated = async (tx: Tx, actor: Actor, id: number): Promise<PlaylistView> =>
    loadPlaylistView(tx, actor, await loadAuthorizedPlaylist(tx, actor, "playlist.read", id));

  return {
    async get(actor: Actor, id: number): Promise<PlaylistView> {
      return loadPlaylistView(database.read, actor, await loadAuthorizedPlaylist(database.read, actor, "playlist.read", id));
    },

    /** Returns a page of the playlists that the actor sees, newest first. */
    async list(actor: Actor, filter: PlaylistFilter, before: number, limit: number): Promise<{ playlists: PlaylistView[]; next: number | null }> {
      assertCan(actor, "playlist.read", {}, "Your role does not allow seeing playlists.");
      if (filter.projectId !== null) await loadAuthorizedProject(database.read, actor, "playlist.read", filter.projectId);
      if (filter.fileId !== null) await loadAuthorizedFile(database.read, actor, "file.read", filter.fileId);
      const { rows, next } = await findPlaylistPage(database.backgroundRead, actor, filter, before, limit);
      return { playlists: await loadPlaylistViews(database.backgroundRead, actor, rows), next };
    },

    create(actor: Actor, input: PlaylistInput, key: IdempotencyKey | null): Promise<PlaylistView> {
      return database.write(async (tx) => {
        const { id: projectId } = await loadAuthorizedProject(tx, actor, "playlist.create", input.projectId);
        const id = await runIdempotent(tx, actor, key, clock.now(), () => insertPlaylist(tx, actor, { ...input, projectId }));
        return loadCreated(tx, actor, id);
      });
    },

    update(actor: Actor, id: number, { name, gapMs }: PlaylistChanges): Promise<PlaylistView> {
      return database.write(async (tx) => {
        const playlist = await lockPlaylist(tx, events, actor, "playlist.edit", id);
        const next = { name: name?.trim() ?? playlist.name, gap_ms: gapMs ?? playlist.gap_ms };
        const isSame = next.name === playlist.name && next.gap_ms === playlist.gap_ms;
        if (isSame) return loadPlaylistView(tx, actor, playlist);
        const changed = await changePlaylist(tx, deps, id, next);
        await indexRecords(tx, database.engine, "playlist", [id]);
        return loadPlaylistView(tx, actor, changed);
      });
    },

    /** Copies the playlist within its project, with the items that the actor sees. */
    duplicate(actor: Actor, id: number, name: string, key: IdempotencyKey | null): Promise<PlaylistView> {
      return database.write(async (tx) => {
        const { project_id, gap_ms } = await lockPlaylist(tx, events, actor, "playlist.read", id);
        await loadAuthorizedProject(tx, actor, "playlist.create", project_id);
        const copyId = await runIdempotent(tx, actor, key, clock.now(), async () => {
          const copy = await insertPlaylist(tx, actor, { projectId: project_id, name, gapMs: gap_ms, items: [] });
          const files = (await loadItems(tx, present, actor, id)).map(({ item: { file_id, version_id } }) => ({ file_id, version_id }));
          await insertItemRows(tx, actor, copy, files, { first: 0, now: clock.now() });
          return copy;
        });
        return loadCreated(tx, actor, copyId);
      });
    },

    remove(actor: Actor, id: number): Promise<void> {
      return database.write(async (tx) => {
        const { project_id, name } = await lockPlaylist(tx, events, actor, "playlist.delete", id);
        await setDeletedAt(tx, id, clock.now());
        await events.append(tx, topicOf.project(project_id), "playlist.deleted", { id, project_id });
        await auditActor(tx, clock.now(), actor, "playlist.deleted", `playlist:${id}`, { name });
      });
    },

    /** Restores a deleted playlist; one that is not deleted stays unchanged. */
    restore(actor: Actor, id: number): Promise<PlaylistView> {
      return database.write(async (tx) => {
        const playlist = await lockPlaylist(tx, events, actor, "playlist.delete", id, true);
        if (playlist.deleted_at === null) return loadPlaylistView(tx, actor, playlist);
        if (playlist.deleted_at <= clock.now() - RESTORABLE_MS) throw notFound("playlist");
        await assertCapacity(tx, playlist.project_id);
        const restored = await setDeletedAt(tx, id, null);
        await publishPlaylist(tx, events, "playlist.created", restored);
        await auditActor(tx, clock.now(), actor, "playlist.restored", `playlist:${id}`, { name: restored.name });
        return loadPlaylistView(tx, actor, restored);
      });
    },
  };
}

const setDeletedAt = (tx: Tx, id: number, deleted_at: number | null): Promise<Row<"playlists">> =>
  tx
    .updateTable("playlists")
    .set((eb) => ({ deleted_at, revision: eb("revision", "+", 1) }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
