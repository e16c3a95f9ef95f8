import type { PlaylistItem } from "../../../contract/playlist-records.ts";
import { t } from "../../lib/texts/playlists.ts";
import { formatErrorReason } from "../../queries/describe-error.ts";
import type { useChangePlaylistItems } from "../../queries/playlists/use-playlist-items.ts";
import { useRestorePlaylistItem } from "../../queries/playlists/use-restore-item.ts";
import { useToasts } from "../../ui/toast.ts";

/** Returns a function that removes a track and offers to undo that. */
export function useRemoveTrack(playlistId: number, items: readonly PlaylistItem[], change: ReturnType<typeof useChangePlaylistItems>) {
  const toasts = useToasts();
  const restore = useRestorePlaylistItem(playlistId);
  return (item: PlaylistItem) => {
    const { name } = item.file;
    const following = items.slice(items.indexOf(item) + 1).map(({ id }) => id);
    const showError = (text: "notRemoved" | "notAdded") => (error: unknown) => toasts.showError(t(text, { name, reason: formatErrorReason(error) }));
    const removal = change.mutateAsync({ kind: "remove", ids: [item.id] });
    const withdraw = toasts.offerUndo(t("removed", { name, count: 1 }), t("undo"), () => {
      removal.then(() => restore.mutateAsync({ item, following })).catch(showError("notAdded"));
    });
    removal.catch((error: unknown) => {
      withdraw();
      showError("notRemoved")(error);
    });
  };
}
