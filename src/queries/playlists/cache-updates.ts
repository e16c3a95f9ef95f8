/** Applies changes of playlists, and of the files in them, to what is cached. The total length depends on the reader, so it is refetched. */
import type { Playlist, PlaylistItem } from "../../../contract/playlist-records.ts";
import type { ClientData } from "../../client/client.ts";
import { invalidate, patchQueryData } from "../query-client.ts";

export const playlistKeys = {
  all: ["playlists"] as const,
  lists: ["playlists", "list"] as const,
  /** Playlists of a project, or all that the user sees. */
  list: (projectId: number | null) => ["playlists", "list", projectId] as const,
  one: (id: number) => ["playlists", "one", id] as const,
  /** Audio files that can be added. */
  candidates: (projectId: number, q: string) => ["playlists", "candidates", projectId, q] as const,
  items: (id: number) => ["playlists", "items", id] as const,
};

/** A playlist whose deletion this page has learned of stays in the cache, so that nothing is requested that is not there. */
export type CachedPlaylist = Playlist & { isDeleted?: boolean };

/** Puts a playlist into the cache unless the cached one is newer. An event lacks what depends on the reader, which stays until the refetch. */
export function upsertPlaylist(client: ClientData, playlist: Playlist): void {
  const merge = (existing: CachedPlaylist): CachedPlaylist =>
    existing.revision > playlist.revision ? existing : { ...existing, ...playlist, isDeleted: false };
  patchQueryData<CachedPlaylist>(client, playlistKeys.one(playlist.id), (existing) => existing && merge(existing));
  for (const query of client.queryClient.getQueryCache().findAll({ queryKey: playlistKeys.lists }))
    patchQueryData<Playlist[]>(client, query.queryKey, (list) =>
      list?.some(({ id }) => id === playlist.id) ? list.map((existing) => (existing.id === playlist.id ? merge(existing) : existing)) : list,
    );
}

/** Applies a live event, and refetches what it does not carry. */
export function applyPlaylistEvent(client: ClientData, playlist: Playlist): void {
  upsertPlaylist(client, playlist);
  invalidatePlaylist(client, playlist.id);
}

/** Refetches a playlist, its items, and the lists. */
export function invalidatePlaylist(client: ClientData, id: number): void {
  invalidate(client, playlistKeys.one(id));
  invalidate(client, playlistKeys.items(id));
  invalidate(client, playlistKeys.lists);
}

/** Removes a deleted playlist from the lists, and marks it for its page and its cards in chats. */
export function removePlaylist(client: ClientData, id: number): void {
  for (const query of client.queryClient.getQueryCache().findAll({ queryKey: playlistKeys.lists }))
    patchQueryData<Playlist[]>(client, query.queryKey, (list) => list?.filter((playlist) => playlist.id !== id));
  patchQueryData<CachedPlaylist>(client, playlistKeys.one(id), (playlist) => playlist && { ...playlist, isDeleted: true });
}

/** Refetches the playlists that show this file, whose name, version, status or length may have changed; without an id all of them. */
export function invalidatePlaylistsOf(client: ClientData, fileId: number | null): void {
  if (fileId === null) return invalidate(client, playlistKeys.all);
  for (const [key, items] of client.queryClient.getQueriesData<PlaylistItem[]>({ queryKey: ["playlists", "items"] }))
    if (items?.some(({ file }) => file.id === fileId)) invalidatePlaylist(client, Number(key[2]));
}
