import { type RefObject, useEffect, useMemo, useSyncExternalStore } from "react";
import { useClient } from "../../client/client.ts";
import type { Player } from "./player.ts";
import type { Queue, QueueState } from "./queue.ts";
import { isSameTrack, type PlayerState, type Track } from "./track.ts";

export const usePlayer = (): Player => useClient().audio.get().player;

export const useQueue = (): Queue => useClient().audio.get().queue;

/** Returns a value of the queue's state and renders when it changes. */
export function useQueueValue<T>(select: (state: QueueState) => T): T {
  const { subscribe, get } = useQueue();
  return useSyncExternalStore(subscribe, () => select(get()));
}

/** Returns a value of the player's state and renders when it changes. */
export function usePlayerValue<T>(select: (state: PlayerState) => T): T {
  const { subscribe, state } = usePlayer();
  return useSyncExternalStore(subscribe, () => select(state()));
}

/** Returns the duration that the browser reports for the current track; 0 if unknown or not current. */
export const useDetectedDuration = (track: Pick<Track, "fileId" | "version">): number =>
  usePlayerValue((state) => (isSameTrack(state.track, track) ? state.detectedDuration : 0));

/** Returns the track of another version of this file while it plays, otherwise null. */
export const useOtherPlayingVersion = (fileId: number, version: number | null): Track | null =>
  usePlayerValue(({ track, isPlaying }) => (isPlaying && track?.fileId === fileId && track.version !== version ? track : null));

/** The position is 0 while another file is current. */
export interface Playback extends Pick<PlayerState, "isPlaying" | "isBuffering" | "position" | "error"> {
  /** True if the player holds this file. */
  isCurrent: boolean;
}

const IDLE_PLAYBACK: Playback = { isPlaying: false, isBuffering: false, position: 0, isCurrent: false, error: null };

/** Returns one file's playback state; playback of other files causes no renders. */
export function usePlayback(fileId: number): Playback {
  const state = usePlayerValue((current) => (current.track?.fileId === fileId ? current : null));
  return useMemo(
    () =>
      state ? { isPlaying: state.isPlaying, isBuffering: state.isBuffering, position: state.position, isCurrent: true, error: state.error } : IDLE_PLAYBACK,
    [state],
  );
}

/** Allows only one playback at a time: a starting video pauses the player, the starting player pauses the video, and a recording pauses both. */
export function useExclusivePlayback(videoRef: RefObject<HTMLVideoElement | null>): void {
  const player = usePlayer();
  useEffect(() => {
    const element = videoRef.current;
    if (!element) return;
    const onPlay = () => {
      if (player.state().isSuspended) element.pause();
      player.pause();
    };
    element.addEventListener("play", onPlay);
    const unsubscribe = player.subscribe(() => (player.state().isPlaying || player.state().isSuspended) && !element.paused && element.pause());
    return () => {
      element.removeEventListener("play", onPlay);
      unsubscribe();
    };
  }, [player, videoRef]);
}
