import { useMemo, useSyncExternalStore } from "react";
import { isSameTrack, player, type PlayerState } from "./player.ts";
import type { Track } from "./track.ts";

/** The whole player; renders with every frame while it sounds. */
export const usePlayer = (): PlayerState => useSyncExternalStore(player.subscribe, player.state);

/** How often something was to sound while a recording kept it silent. */
export const useRefusedPlayCount = () => useSyncExternalStore(player.subscribe, () => player.state().refusedPlayCount);

/** Speed of voices. */
export const useVoiceRate = () => useSyncExternalStore(player.subscribe, () => player.state().voiceRate);

/** How loud everything is. */
export const useVolume = () => useSyncExternalStore(player.subscribe, () => player.state().volume);

/** Its length by the browser's word, while the player holds this sound; 0: not known. */
export const useDetectedDuration = (track: Pick<Track, "fileId" | "version">): number =>
  useSyncExternalStore(player.subscribe, () => (isSameTrack(player.state().track, track) ? player.state().detectedDuration : 0));

/** Another version of this file, while it sounds. */
export const useOtherPlayingVersion = (fileId: number, version: number | null): Track | null =>
  useSyncExternalStore(player.subscribe, () => {
    const { track, playing } = player.state();
    return playing && track?.fileId === fileId && track.version !== version ? track : null;
  });

/** What the player holds, without its position: renders on changes only. */
export const usePlayerTrack = () => useSyncExternalStore(player.subscribe, () => player.state().track);

export interface Playback {
  playing: boolean;
  buffering: boolean;
  /** Seconds; 0 where another file is the current one. */
  position: number;
  /** It is this file that the player holds. */
  isCurrent: boolean;
  error: string | null;
}

const IDLE_PLAYBACK: Playback = { playing: false, buffering: false, position: 0, isCurrent: false, error: null };

/** How one file stands in the player; others' frames do not render it. */
export function usePlayback(fileId: number): Playback {
  const getState = () => (player.state().track?.fileId === fileId ? player.state() : null);
  const state = useSyncExternalStore(player.subscribe, getState);
  return useMemo(
    () => (state ? { playing: state.playing, buffering: state.buffering, position: state.position, isCurrent: true, error: state.error } : IDLE_PLAYBACK),
    [state],
  );
}
