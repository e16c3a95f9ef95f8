import * as z from "zod/mini";
import { list, operation, page, pageQuery, single } from "../define-operation.ts";
import { LIMITS } from "../limits.ts";
import { playlist, playlistGap, playlistItem, playlistName } from "../playlist-records.ts";
import { id, idInPath, withDescription } from "../text.ts";

const params = z.object({ playlist_id: idInPath });
const version = withDescription(z.optional(z.nullable(id)), "the number of the version that always plays; null or left out: the newest one");
const newItem = z.object({ file_id: withDescription(id, "an audio file of a project of the same team"), version });
const newItems = z.array(newItem).check(z.maxLength(LIMITS.playlist_items));
const itemIds = z.array(id).check(z.minLength(1), z.maxLength(LIMITS.playlist_items));
const read = { method: "GET", group: "Playlists", source: "extension", scope: "files:read", rule: "playlist.read" } as const;
/** Responses of changes show the files' total length, so they need the scope of reading too. */
const change = { group: "Playlists", source: "extension", scope: "files:write", furtherScopes: ["files:read"] } as const;
const FULL = `A playlist has at most ${LIMITS.playlist_items} files.`;

export const listPlaylists = operation({
  ...read,
  path: "/api/v2/playlists",
  summary: "Playlists that you see, newest first",
  cost: 2,
  query: z.object({
    project_id: withDescription(z.optional(idInPath), "of a project"),
    file_id: withDescription(z.optional(idInPath), "that contain this file"),
    ...pageQuery.shape,
  }),
  response: page(playlist),
});
export const createPlaylist = operation({
  ...change,
  method: "POST",
  path: "/api/v2/playlists",
  summary: "Create a playlist, empty or with files",
  rule: "playlist.create",
  cost: 2,
  body: z.object({ project_id: id, name: playlistName, gap_ms: z.optional(playlistGap), items: z.optional(newItems) }),
  response: single("playlist", playlist),
  idempotent: true,
  errors: { 409: "The project has as many playlists as it can have." },
});
export const getPlaylist = operation({
  ...read,
  path: "/api/v2/playlists/{playlist_id}",
  summary: "Get one playlist",
  params,
  response: single("playlist", playlist),
});
export const updatePlaylist = operation({
  ...change,
  method: "PATCH",
  path: "/api/v2/playlists/{playlist_id}",
  summary: "Rename a playlist, or change the gap between its tracks",
  rule: "playlist.edit",
  params,
  body: z.object({ name: z.optional(playlistName), gap_ms: z.optional(playlistGap) }),
  response: single("playlist", playlist),
});
export const deletePlaylist = operation({
  ...change,
  method: "DELETE",
  path: "/api/v2/playlists/{playlist_id}",
  summary: "Delete a playlist; its files stay",
  rule: "playlist.delete",
  params,
  response: null,
});
export const restorePlaylist = operation({
  ...change,
  method: "POST",
  path: "/api/v2/playlists/{playlist_id}/restore",
  summary: "Restore a playlist that was deleted in the last 30 days",
  rule: "playlist.delete",
  params,
  response: single("playlist", playlist),
  errors: { 409: "The project has as many playlists as it can have." },
});
export const duplicatePlaylist = operation({
  ...change,
  method: "POST",
  path: "/api/v2/playlists/{playlist_id}/duplicate",
  summary: "Copy a playlist, with the files that you see",
  rule: "playlist.create",
  furtherRules: ["playlist.read"],
  cost: 2,
  params,
  body: z.object({ name: playlistName }),
  response: single("playlist", playlist),
  idempotent: true,
  errors: { 409: "The project has as many playlists as it can have." },
});

export const listPlaylistItems = operation({
  ...read,
  path: "/api/v2/playlists/{playlist_id}/items",
  summary: "The files of a playlist in order; those that were deleted or that you do not see are left out",
  cost: 2,
  params,
  response: list(playlistItem),
});
export const addPlaylistItems = operation({
  ...change,
  method: "POST",
  path: "/api/v2/playlists/{playlist_id}/items",
  summary: "Add files to a playlist; the same file may be in it more than once",
  rule: "playlist.edit",
  cost: 2,
  params,
  body: z.object({
    items: newItems.check(z.minLength(1)),
    before_item_id: withDescription(z.optional(z.nullable(id)), "the item that follows them; null or left out: they come last"),
  }),
  response: list(playlistItem),
  idempotent: true,
  errors: { 409: FULL },
});
export const movePlaylistItems = operation({
  ...change,
  method: "POST",
  path: "/api/v2/playlists/{playlist_id}/items/move",
  summary: "Move items to another place in a playlist, in the order given",
  rule: "playlist.edit",
  params,
  body: z.object({ item_ids: itemIds, before_item_id: withDescription(z.nullable(id), "the item that follows them; null: they come last") }),
  response: single("playlist", playlist),
});
export const removePlaylistItems = operation({
  ...change,
  method: "POST",
  path: "/api/v2/playlists/{playlist_id}/items/remove",
  summary: "Remove items from a playlist; items that it does not have any more are ignored",
  rule: "playlist.edit",
  params,
  body: z.object({ item_ids: itemIds }),
  response: single("playlist", playlist),
});
export const updatePlaylistItem = operation({
  ...change,
  method: "PATCH",
  path: "/api/v2/playlists/{playlist_id}/items/{item_id}",
  summary: "Pin an item to a version, or let it play the newest one again",
  rule: "playlist.edit",
  params: z.object({ ...params.shape, item_id: idInPath }),
  body: z.object({ version: withDescription(z.nullable(id), "the number of the version that always plays; null: the newest one") }),
  response: single("playlist_item", playlistItem),
});
