/** Creates the player's queue of a playlist, and keeps it in step with the playlist while it plays. */
import { useEffect } from "react";
import type { Playlist, PlaylistItem } from "../../../contract/playlist-records.ts";
import type { PlayQueue } from "../../audio/player/queue.ts";
import { usePlayer, usePlayerValue, useQueue, useQueueValue } from "../../audio/player/use-player.ts";
import { attachmentToTrack } from "../attachment-track.ts";

export const playlistPath = (id: number): string => `/playlists/${id}`;
const queueKey = (id: number): string => `playlist:${id}`;
/** Returns the id of the playlist whose queue has this key; 0 for none. */
export const playlistOfQueue = (key: string | undefined): number => Number(/^playlist:(\d+)$/.exec(key ?? "")?.[1] ?? 0);

/** Returns whether the item has something to play: audio whose waveform is known can be played before the streaming copy is ready. */
export const isPlayable = ({ file }: PlaylistItem): boolean =>
  file.audio !== undefined && (file.transcoding_status === "transcoded" || file.audio.wave.length > 0);

/** Creates the queue of the playlist's playable items. */
export function toPlayQueue({ id, name, gap_ms }: Playlist, items: readonly PlaylistItem[]): PlayQueue {
  const entries = items.flatMap((item) =>
    item.file.audio && isPlayable(item) ? [{ id: item.id, track: attachmentToTrack(item.file, item.file.audio, item.project_id) }] : [],
  );
  return { key: queueKey(id), title: name, path: playlistPath(id), gapMs: gap_ms, entries };
}

/** Returns what plays of a playlist, and the functions that play it. */
export function usePlaylistPlayback(playlist: Playlist | undefined, items: readonly PlaylistItem[] | undefined) {
  const player = usePlayer();
  const queue = useQueue();
  const key = queueKey(playlist?.id ?? 0);
  const currentId = useQueueValue((state) => (state.queue?.key === key ? (state.current?.id ?? null) : null));
  const isWaiting = useQueueValue((state) => state.isWaiting);
  const isPlayingNow = usePlayerValue((state) => state.isPlaying);
  const isPlaying = currentId !== null && (isPlayingNow || isWaiting);
  useEffect(() => {
    if (playlist && items) queue.update(toPlayQueue(playlist, items));
  }, [queue, playlist, items]);

  function pause() {
    if (isWaiting) queue.pauseGap();
    else player.pause();
  }
  return {
    /** The item that is current, whether it plays or is paused. */
    currentId,
    isPlaying,
    /** Plays from this item on, or pauses it if it plays. */
    toggleItem(itemId: number) {
      if (!playlist || !items) return;
      if (itemId === currentId) return isPlaying ? pause() : player.resume();
      const playQueue = toPlayQueue(playlist, items);
      const index = playQueue.entries.findIndex(({ id }) => id === itemId);
      if (index !== -1) queue.play(playQueue, index);
    },
    /** Plays the playlist from its beginning, or pauses and resumes it. */
    toggle() {
      if (!playlist || !items) return;
      if (currentId !== null) return isPlaying ? pause() : player.resume();
      const playQueue = toPlayQueue(playlist, items);
      if (playQueue.entries.length > 0) queue.play(playQueue, 0);
    },
  };
}
