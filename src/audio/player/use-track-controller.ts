import { useLayoutEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { player } from "./player.ts";
import { createTrackController, type TrackController, type TrackControllerState } from "./track-controller.ts";
import type { Track } from "./track.ts";

/**
 * Returns the controller of a track, a new one when file, version or duration changes. Another version of the same file takes over the position, and
 * keeps playing if the previous one did.
 */
export function useTrackController(track: Track): TrackController {
  const { fileId, version, src, duration, isOriginal } = track;
  // oxlint-disable-next-line react/exhaustive-deps -- the rest of a track is its looks
  const trackController = useMemo(() => createTrackController(player, track), [fileId, version, duration]);
  const previousRef = useRef({ trackController, fileId, version });
  useLayoutEffect(() => {
    const previous = previousRef.current;
    previousRef.current = { trackController, fileId, version };
    if (previous.trackController === trackController || previous.fileId !== fileId) return;
    const { position, playing } = previous.trackController.state();
    if (!trackController.state().isCurrent) trackController.seek(position);
    if (playing && previous.version !== version) trackController.play();
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
