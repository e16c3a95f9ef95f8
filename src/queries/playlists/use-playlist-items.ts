/** The files of a playlist: adding, moving, removing and pinning. Moves and removals show at once; the list is refetched before they count as done. */
import { queryOptions, useMutation, useMutationState, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import * as operations from "../../../contract/operations/playlists.ts";
import type { PlaylistItem } from "../../../contract/playlist-records.ts";
import type { BodyOf } from "../../api/http.ts";
import { type ClientData, useClient } from "../../client/client.ts";
import { fetchData, useOperation } from "../operations.ts";
import { playlistKeys } from "./cache-updates.ts";

export const playlistItemsQuery = (id: number) =>
  queryOptions({ queryKey: playlistKeys.items(id), queryFn: fetchData(operations.listPlaylistItems, { params: { playlist_id: id } }) });

/** A change that is shown before the service has confirmed it. */
export type ItemChange = { kind: "move"; ids: readonly number[]; beforeId: number | null } | { kind: "remove"; ids: readonly number[] };

/** Returns the items as they are after the change; items that are not there any more are ignored. */
export function applyItemChange(items: readonly PlaylistItem[], change: ItemChange): PlaylistItem[] {
  const others = items.filter(({ id }) => !change.ids.includes(id));
  if (change.kind === "remove") return others;
  const moved = change.ids.flatMap((id) => items.find((item) => item.id === id) ?? []);
  const at = change.beforeId === null ? -1 : others.findIndex(({ id }) => id === change.beforeId);
  return others.toSpliced(at === -1 ? others.length : at, 0, ...moved);
}

/** Changes of one playlist run one after the other. */
export const changeScope = (id: number) => ({ id: `playlist-items-${id}` });

const changeKey = (id: number) => ["change-playlist-items", id] as const;

/** Returns a playlist's items with the pending changes applied. */
export function usePlaylistItems(id: number, isEnabled = true) {
  const query = useQuery({ ...playlistItemsQuery(id), enabled: isEnabled });
  const pending = useMutationState({ filters: { mutationKey: changeKey(id), status: "pending" }, select: ({ state }) => state.variables as ItemChange });
  const items = useMemo(() => query.data && pending.reduce<readonly PlaylistItem[]>(applyItemChange, query.data), [query.data, pending]);
  return { ...query, items };
}

/** Refetches what shows the playlist; resolves once its items are there. */
export async function refetchItems({ queryClient }: ClientData, id: number): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: playlistKeys.items(id) }), queryClient.invalidateQueries({ queryKey: playlistKeys.one(id) })]);
  void queryClient.invalidateQueries({ queryKey: playlistKeys.lists });
}

/** Moves or removes items. Changes run one after the other; one that fails disappears again. */
export function useChangePlaylistItems(id: number) {
  const client = useClient();
  return useMutation({
    mutationKey: changeKey(id),
    scope: changeScope(id),
    mutationFn: async (change: ItemChange) => {
      const params = { playlist_id: id };
      const item_ids = [...change.ids];
      if (change.kind === "move") await client.api.data(operations.movePlaylistItems, { params, body: { item_ids, before_item_id: change.beforeId } });
      else await client.api.data(operations.removePlaylistItems, { params, body: { item_ids } });
    },
    // Awaited, so that the change is shown until the list contains it.
    onSettled: () => refetchItems(client, id),
  });
}

type AddBody = BodyOf<typeof operations.addPlaylistItems>;

export const useAddPlaylistItems = () =>
  useOperation(operations.addPlaylistItems, ({ id, ...body }: AddBody & { id: number }) => ({ params: { playlist_id: id }, body }), {
    onSuccess: (client, _, { id }) => refetchItems(client, id),
  });

/** Pins an item to a version, or lets it play the newest one (null). */
export const usePinPlaylistItem = (id: number) =>
  useOperation(
    operations.updatePlaylistItem,
    ({ itemId, version }: { itemId: number; version: number | null }) => ({ params: { playlist_id: id, item_id: itemId }, body: { version } }),
    { onSuccess: (client) => refetchItems(client, id) },
  );
