import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { addPlaylistItems } from "../../../contract/operations/playlists.ts";
import type { PlaylistItem } from "../../../contract/playlist-records.ts";
import { useClient } from "../../client/client.ts";
import { changeScope, playlistItemsQuery, refetchItems } from "./use-playlist-items.ts";

/** Returns the first of the items that followed a removed one and is still there, perhaps under the new id that restoring gave it; null for the end. */
export function findAnchor(following: readonly number[], restoredIds: ReadonlyMap<number, number>, present: readonly number[]): number | null {
  for (let id of following) {
    for (let next = restoredIds.get(id); next !== undefined; next = restoredIds.get(next)) id = next;
    if (present.includes(id)) return id;
  }
  return null;
}

interface RemovedItem {
  item: PlaylistItem;
  /** Ids of the items that followed it. */
  following: readonly number[];
}

/** Adds a removed item again at its place, whichever of its neighbors were removed or restored meanwhile; it runs after the changes before it. */
export function useRestorePlaylistItem(playlistId: number) {
  const client = useClient();
  const restoredIds = useRef(new Map<number, number>());
  return useMutation({
    scope: changeScope(playlistId),
    async mutationFn({ item, following }: RemovedItem) {
      const present = (await client.queryClient.fetchQuery({ ...playlistItemsQuery(playlistId), staleTime: 0 })).map(({ id }) => id);
      const before_item_id = findAnchor(following, restoredIds.current, present);
      const body = { items: [{ file_id: item.file.id, version: item.pinned_version }], before_item_id };
      const [restored] = await client.api.data(addPlaylistItems, { params: { playlist_id: playlistId }, body });
      if (restored) restoredIds.current.set(item.id, restored.id);
    },
    onSettled: () => refetchItems(client, playlistId),
  });
}
