/** Gives the parts of a player page its track controller and its viewport. */
import { createContext, use, useSyncExternalStore } from "react";
import type { TrackController } from "../../../audio/player/track-controller.ts";
import type { ViewportStore, VisibleRange } from "../waveform/viewport.ts";

interface PlayerContextValue {
  trackController: TrackController;
  viewport: ViewportStore;
}

export const PlayerContext = createContext<PlayerContextValue | null>(null);

export function usePlayerContext(): PlayerContextValue {
  const value = use(PlayerContext);
  if (!value) throw new Error("A part of the player was rendered outside of a player page");
  return value;
}

/** Returns the range that the detail waveform shows, and renders when it changes. */
export function useVisibleRange(): VisibleRange {
  const { subscribe, view } = usePlayerContext().viewport;
  return useSyncExternalStore(subscribe, view);
}
