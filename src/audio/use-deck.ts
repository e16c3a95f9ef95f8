import { useLayoutEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { createTrackController, type TrackController, type TrackControllerState } from "./deck.ts";
import { player } from "./player.ts";
import type { Track } from "./track.ts";

/**
 * The deck of a track; a new one when its sound or what is known of its length changes.
 * Another version of the same file takes over where the one before stood, and plays on where that played.
 */
export function useTrackController(track: Track): TrackController {
  const { fileId, version, src, duration, isOriginal } = track;
  // oxlint-disable-next-line react/exhaustive-deps -- the rest of a track is its looks
  const trackController = useMemo(() => createTrackController(player, track), [fileId, version, duration]);
  const previousRef = useRef({ deck: trackController, fileId, version });
  useLayoutEffect(() => {
    const previous = previousRef.current;
    previousRef.current = { deck: trackController, fileId, version };
    if (previous.deck === trackController || previous.fileId !== fileId) return;
    const { position, playing } = previous.deck.state();
    if (!trackController.state().isCurrent) trackController.seek(position);
    if (playing && previous.version !== version) trackController.play();
  }, [trackController, fileId, version]);
  // oxlint-disable-next-line react/exhaustive-deps -- as above
  useLayoutEffect(() => trackController.update(track), [trackController, src, isOriginal]);
  return trackController;
}

/** Renders with every frame while it sounds. */
export const useTrackControllerState = (trackController: TrackController): TrackControllerState =>
  useSyncExternalStore(trackController.subscribe, trackController.state);

/** One part of a deck's state; renders when that changes. */
export const useTrackControllerValue = <K extends keyof TrackControllerState>(trackController: TrackController, key: K): TrackControllerState[K] =>
  useSyncExternalStore(trackController.subscribe, () => trackController.state()[key]);
