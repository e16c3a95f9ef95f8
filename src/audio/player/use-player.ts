import { type RefObject, useEffect, useMemo, useSyncExternalStore } from "react";
import { isSameTrack, player, type PlayerState } from "./player.ts";
import type { Track } from "./track.ts";

/** Returns the whole player state and renders on every frame during playback. */
export const usePlayer = (): PlayerState => useSyncExternalStore(player.subscribe, player.state);

/** Returns how often playback was refused during a recording. */
export const useRefusedPlayCount = () => useSyncExternalStore(player.subscribe, () => player.state().refusedPlayCount);

/** Returns the playback rate of voice notes. */
export const useVoiceRate = () => useSyncExternalStore(player.subscribe, () => player.state().voiceRate);

export const useVolume = () => useSyncExternalStore(player.subscribe, () => player.state().volume);

/** Returns the duration that the browser reports for the current track; 0 if unknown or not current. */
export const useDetectedDuration = (track: Pick<Track, "fileId" | "version">): number =>
  useSyncExternalStore(player.subscribe, () => (isSameTrack(player.state().track, track) ? player.state().detectedDuration : 0));

/** Returns the track of another version of this file while it plays, otherwise null. */
export const useOtherPlayingVersion = (fileId: number, version: number | null): Track | null =>
  useSyncExternalStore(player.subscribe, () => {
    const { track, isPlaying } = player.state();
    return isPlaying && track?.fileId === fileId && track.version !== version ? track : null;
  });

/** Returns the current track without its position, so that it renders only when the track changes. */
export const usePlayerTrack = () => useSyncExternalStore(player.subscribe, () => player.state().track);

export interface Playback {
  isPlaying: boolean;
  isBuffering: boolean;
  /** Seconds; 0 while another file is current. */
  position: number;
  /** True if the player holds this file. */
  isCurrent: boolean;
  error: string | null;
}

const IDLE_PLAYBACK: Playback = { isPlaying: false, isBuffering: false, position: 0, isCurrent: false, error: null };

/** Returns one file's playback state; playback of other files causes no renders. */
export function usePlayback(fileId: number): Playback {
  const getState = () => (player.state().track?.fileId === fileId ? player.state() : null);
  const state = useSyncExternalStore(player.subscribe, getState);
  return useMemo(
    () =>
      state ? { isPlaying: state.isPlaying, isBuffering: state.isBuffering, position: state.position, isCurrent: true, error: state.error } : IDLE_PLAYBACK,
    [state],
  );
}

/** Allows only one playback at a time: a starting video pauses the player, the starting player pauses the video, and a recording pauses both. */
export function useExclusivePlayback(videoRef: RefObject<HTMLVideoElement | null>): void {
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
  }, [videoRef]);
}
