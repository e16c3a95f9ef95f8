/** Controls one track through the shared player, and keeps its position while another track is current. */
import { useLayoutEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { moveLoopEdge, isSameLoop, createLoop, selectRange, withLoopStart, withLoopEnd, toggleLoop, type Loop } from "./loop.ts";
import { createEmitter } from "../../lib/store.ts";
import type { PlaybackSettings } from "./playback-settings.ts";
import type { Player } from "./player.ts";
import { clampPosition, isAtEnd, isSameTrack, type PlayerState, type Track } from "./track.ts";
import { usePlayer } from "./use-player.ts";

/** While another track is current, the position is where playback would start. */
export interface TrackControllerState extends Pick<PlayerState, "isPlaying" | "isBuffering" | "position" | "error">, PlaybackSettings {
  /** True if the player holds this track. */
  isCurrent: boolean;
}

export type TrackController = ReturnType<typeof createTrackController>;

export const PLAYBACK_RATES = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;

/** Creates a controller that starts at the player's position if this track is current, otherwise at 0. */
export function createTrackController(player: Player, initialTrack: Track) {
  let track = initialTrack;
  const { fileId } = initialTrack;
  let state: TrackControllerState = { isPlaying: false, isBuffering: false, position: 0, error: null, isCurrent: false, ...player.settingsFor(fileId) };
  const { emit, subscribe } = createEmitter();
  let subscriberCount = 0;
  const isCurrent = () => isSameTrack(player.state().track, track);

  function setState(next: TrackControllerState) {
    if ((Object.keys(next) as (keyof TrackControllerState)[]).every((key) => (key === "loop" ? isSameLoop(next.loop, state.loop) : next[key] === state[key])))
      return;
    state = next;
    emit();
  }
  function syncWithPlayer() {
    const { isPlaying, isBuffering, position, error } = player.state();
    const current = isCurrent();
    // The controller keeps its position when another track becomes current.
    setState({
      ...state,
      ...(current ? { isPlaying, isBuffering, position, error } : { isPlaying: false, isBuffering: false }),
      isCurrent: current,
      ...player.settingsFor(fileId),
    });
  }

  syncWithPlayer();
  let stopSyncing: (() => void) | null = null;
  const setLoop = (loop: Loop | null) => player.updateSettings(fileId, { loop });

  const trackController = {
    name: track.name,
    duration: track.duration,
    state: () => state,
    /** Calls `listener` after each change. Returns an unsubscribe function. */
    subscribe(listener: () => void) {
      const unsubscribe = subscribe(listener);
      subscriberCount += 1;
      if (!stopSyncing) {
        stopSyncing = player.subscribe(syncWithPlayer);
        // Picks up changes made while there were no listeners.
        syncWithPlayer();
      }
      return () => {
        unsubscribe();
        subscriberCount -= 1;
        if (subscriberCount > 0) return;
        stopSyncing?.();
        stopSyncing = null;
      };
    },
    play: () => player.play(track, isCurrent() ? undefined : isAtEnd(state.position, track) ? 0 : state.position),
    pause: () => isCurrent() && player.pause(),
    toggle() {
      if (state.isPlaying) trackController.pause();
      else trackController.play();
    },
    seek(seconds: number) {
      if (!Number.isFinite(seconds)) return;
      if (isCurrent()) return player.seek(seconds);
      setState({ ...state, position: clampPosition(seconds, track) });
    },
    /** Loads the track without playing it, so that a video shows its picture. Replaces only a paused other version of the same file, never another file. */
    cue() {
      const { track: playerTrack, isPlaying } = player.state();
      if (playerTrack === null || (playerTrack.fileId === fileId && !isPlaying && !isCurrent())) player.cue(track, state.position);
    },
    /** Releases a track that was only cued, when its page closes. */
    detach: () => isCurrent() && player.releaseCued(),
    /** Replaces the track by the same audio under another URL or in another copy; playback continues. */
    update(next: Track) {
      const copyChanged = (next.isOriginal ?? false) !== (track.isOriginal ?? false);
      track = next;
      if (copyChanged && (player.state().track?.isOriginal ?? false) !== (next.isOriginal ?? false)) player.swap(next);
    },
    setRate: (rate: number) => player.updateSettings(fileId, { rate }),
    setLoop,
    setLoopRange: (from: number, to: number) => setLoop(createLoop(from, to, track.duration)),
    /** Selects a part without looping it, unless the loop is on. */
    selectRange: (from: number, to: number) => setLoop(selectRange(state.loop, from, to, track.duration)),
    setLoopStart: (seconds: number) => setLoop(withLoopStart(state.loop, seconds, track.duration)),
    setLoopEnd: (seconds: number) => setLoop(withLoopEnd(state.loop, seconds, track.duration)),
    toggleLoop: () => setLoop(toggleLoop(state.loop, track.duration)),
    moveLoopEdge: (edge: "from" | "to", seconds: number) => state.loop && setLoop(moveLoopEdge(state.loop, edge, seconds, track.duration)),
  };
  return trackController;
}

/**
 * Returns the controller of a track, a new one when file, version or duration changes. Another version of the same file takes over the position, and
 * keeps playing if the previous one did.
 */
export function useTrackController(track: Track): TrackController {
  const player = usePlayer();
  const { fileId, version, src, duration, isOriginal } = track;
  // oxlint-disable-next-line react/exhaustive-deps -- `update` below handles the URL and copy; the other members only affect the display
  const trackController = useMemo(() => createTrackController(player, track), [player, fileId, version, duration]);
  const previousRef = useRef({ trackController, fileId, version });
  useLayoutEffect(() => {
    const previous = previousRef.current;
    previousRef.current = { trackController, fileId, version };
    if (previous.trackController === trackController || previous.fileId !== fileId) return;
    const { position, isPlaying } = previous.trackController.state();
    if (!trackController.state().isCurrent) trackController.seek(position);
    if (isPlaying && previous.version !== version) trackController.play();
  }, [trackController, fileId, version]);
  // oxlint-disable-next-line react/exhaustive-deps -- as above
  useLayoutEffect(() => trackController.update(track), [trackController, src, isOriginal]);
  return trackController;
}

/** Renders on every frame during playback. */
export const useTrackControllerState = (trackController: TrackController): TrackControllerState =>
  useSyncExternalStore(trackController.subscribe, trackController.state);

/** Returns one value of the controller's state and renders only when it changes. */
export const useTrackControllerValue = <K extends keyof TrackControllerState>(trackController: TrackController, key: K): TrackControllerState[K] =>
  useSyncExternalStore(trackController.subscribe, () => trackController.state()[key]);
