import { useRef } from "react";
import type { PlaylistItem } from "../../../contract/playlist-records.ts";
import { t } from "../../lib/texts/playlists.ts";
import { formatErrorReason } from "../../queries/describe-error.ts";
import { useAddPlaylistItems, type useChangePlaylistItems } from "../../queries/playlists/use-playlist-items.ts";
import { useToasts } from "../../ui/toast.ts";

/** Returns the first of the items that followed a removed one and is still there, perhaps under the new id that restoring gave it; null for the end. */
export function findAnchor(following: readonly number[], restoredIds: ReadonlyMap<number, number>, present: readonly number[]): number | null {
  for (let id of following) {
    for (let next = restoredIds.get(id); next !== undefined; next = restoredIds.get(next)) id = next;
    if (present.includes(id)) return id;
  }
  return null;
}

/** Returns a function that removes a track and offers to undo that, whichever neighbors are removed or restored meanwhile. */
export function useRemoveTrack(playlistId: number, items: readonly PlaylistItem[], change: ReturnType<typeof useChangePlaylistItems>) {
  const toasts = useToasts();
  const add = useAddPlaylistItems();
  const latest = useRef(items);
  latest.current = items;
  const restoredIds = useRef(new Map<number, number>());

  async function restore({ id, file, pinned_version }: PlaylistItem, following: readonly number[]): Promise<void> {
    const present = latest.current.map((item) => item.id);
    const before_item_id = findAnchor(following, restoredIds.current, present);
    const [restored] = await add.mutateAsync({ id: playlistId, items: [{ file_id: file.id, version: pinned_version }], before_item_id });
    if (restored) restoredIds.current.set(id, restored.id);
  }
  return (item: PlaylistItem) => {
    const { name } = item.file;
    const following = items.slice(items.indexOf(item) + 1).map(({ id }) => id);
    const showError = (text: "notRemoved" | "notAdded") => (error: unknown) => toasts.showError(t(text, { name, reason: formatErrorReason(error) }));
    const removal = change.mutateAsync({ kind: "remove", ids: [item.id] });
    const withdraw = toasts.offerUndo(t("removed", { name, count: 1 }), t("undo"), () => {
      removal.then(() => restore(item, following)).catch(showError("notAdded"));
    });
    removal.catch((error: unknown) => {
      withdraw();
      showError("notRemoved")(error);
    });
  };
}
