import { useEffect } from "react";
import { useQueue, useQueueValue } from "../../audio/player/use-player.ts";
import { playlistOfQueue, toPlayQueue } from "../../components/playlists/playlist-queue.ts";
import { t } from "../../lib/texts/queue.ts";
import { usePlaylistItems } from "../../queries/playlists/use-playlist-items.ts";
import { usePlaylist } from "../../queries/playlists/use-playlists.ts";
import { useFollowProjects } from "../../sync/live/use-connection.ts";
import { useToasts } from "../../ui/toast.ts";

/** Keeps the queue that plays in step with its playlist, whatever page is open, and says which tracks could not be played. */
export function QueueUpdates() {
  const queue = useQueue();
  const toasts = useToasts();
  const id = playlistOfQueue(useQueueValue(({ queue: playing }) => playing?.key));
  useEffect(() => queue.onFailed(({ name }) => toasts.showError(t("skipped", { name }))), [queue, toasts]);
  return id > 0 ? <PlaylistUpdates key={id} id={id} /> : null;
}

function PlaylistUpdates({ id }: { id: number }) {
  const queue = useQueue();
  const { data: playlist, isMissing } = usePlaylist(id);
  const { items } = usePlaylistItems(id);
  useFollowProjects([...(playlist ? [playlist.project_id] : []), ...(items ?? []).map((item) => item.project_id)]);
  useEffect(() => {
    if (playlist && items && !isMissing) queue.update(toPlayQueue(playlist, items));
  }, [queue, playlist, items, isMissing]);
  return null;
}
