/** Creates the player's queue of a playlist, and plays it. `QueueUpdates` of the shell keeps it in step with the playlist. */
import type { Playlist, PlaylistItem } from "../../../contract/playlist-records.ts";
import type { PlayQueue } from "../../audio/player/queue.ts";
import { usePlayerValue, useQueue, useQueueValue } from "../../audio/player/use-player.ts";
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
  const queue = useQueue();
  const key = queueKey(playlist?.id ?? 0);
  const currentId = useQueueValue((state) => (state.queue?.key === key ? (state.current?.id ?? null) : null));
  const isPlayerPlaying = usePlayerValue((state) => state.isPlaying);
  function playFrom(itemId: number | null) {
    if (!playlist || !items) return;
    const playQueue = toPlayQueue(playlist, items);
    const index = itemId === null ? 0 : playQueue.entries.findIndex(({ id }) => id === itemId);
    if (playQueue.entries[index]) queue.play(playQueue, index);
  }
  return {
    /** The item that is current, whether it plays or is paused. */
    currentId,
    isPlaying: currentId !== null && isPlayerPlaying,
    /** Plays from this item on, or pauses and resumes it. */
    toggleItem: (itemId: number) => (itemId === currentId ? queue.toggle() : playFrom(itemId)),
    /** Plays the playlist from its beginning, or pauses and resumes it. */
    toggle: () => (currentId === null ? playFrom(null) : queue.toggle()),
  };
}
