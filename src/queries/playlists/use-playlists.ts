/** Queries playlists, and creates, changes, duplicates and deletes them. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import * as operations from "../../../contract/operations/playlists.ts";
import { playlistFacts } from "../../../contract/policy.ts";
import type { Playlist } from "../../../contract/playlist-records.ts";
import type { BodyOf } from "../../api/http.ts";
import type { ClientData } from "../../client/client.ts";
import { isInaccessible } from "../describe-error.ts";
import { fetchAll, fetchData, useOperation } from "../operations.ts";
import { useCan, useCurrentUser } from "../permissions.ts";
import { invalidate } from "../query-client.ts";
import { type CachedPlaylist, invalidatePlaylist, playlistKeys, removePlaylist, upsertPlaylist } from "./cache-updates.ts";

const playlistQueries = {
  list: (projectId: number | null) =>
    queryOptions({
      queryKey: playlistKeys.list(projectId),
      queryFn: fetchAll((api, query, options) =>
        api.call(operations.listPlaylists, { query: { ...query, ...(projectId === null ? {} : { project_id: String(projectId) }) } }, options),
      ),
    }),
  one: (id: number) =>
    queryOptions<CachedPlaylist>({ queryKey: playlistKeys.one(id), queryFn: fetchData(operations.getPlaylist, { params: { playlist_id: id } }) }),
};

/** Returns the playlists of a project, or with null all that the user sees, newest first. */
export const usePlaylists = (projectId: number | null) => useQuery(playlistQueries.list(projectId));

/** Loads a playlist, if it `isNeeded`; `isMissing` if it was deleted or the user does not see it. */
export function usePlaylist(id: number, isNeeded = true) {
  const query = useQuery({ ...playlistQueries.one(id), enabled: isNeeded });
  return { ...query, isMissing: query.data?.isDeleted === true || isInaccessible(query.error) };
}

const toParams = (id: number) => ({ params: { playlist_id: id } });

/** Caches the response of a change, and refetches the lists. */
function applyResponse(client: ClientData, playlist: Playlist): void {
  client.queryClient.setQueryData(playlistKeys.one(playlist.id), playlist);
  upsertPlaylist(client, playlist);
  invalidate(client, playlistKeys.lists);
}

export const useCreatePlaylist = () =>
  useOperation(operations.createPlaylist, (body: BodyOf<typeof operations.createPlaylist>) => ({ body }), { isIdempotent: true, onSuccess: applyResponse });

/** Renames a playlist or changes its gap. */
export const useUpdatePlaylist = (id: number) =>
  useOperation(operations.updatePlaylist, (body: BodyOf<typeof operations.updatePlaylist>) => ({ ...toParams(id), body }), { onSuccess: applyResponse });

export const useDuplicatePlaylist = () =>
  useOperation(operations.duplicatePlaylist, ({ id, name }: { id: number; name: string }) => ({ ...toParams(id), body: { name } }), {
    onSuccess: applyResponse,
  });

export const useDeletePlaylist = () => useOperation(operations.deletePlaylist, toParams, { onSuccess: (client, _, id) => removePlaylist(client, id) });

export const useRestorePlaylist = () =>
  useOperation(operations.restorePlaylist, toParams, {
    onSuccess(client, playlist) {
      applyResponse(client, playlist);
      invalidatePlaylist(client, playlist.id);
    },
  });

/** Returns whether the user may change the playlist, and delete it. */
export function usePlaylistPermissions(playlist: Pick<Playlist, "created_by_account_id">) {
  const facts = playlistFacts(playlist, useCurrentUser().accountId);
  return { canEdit: useCan("playlist.edit", facts), canDelete: useCan("playlist.delete", facts) };
}
