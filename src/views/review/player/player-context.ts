/** Gives the parts of a player page its track controller and its viewport. */
import { createContext, type RefObject, use, useSyncExternalStore } from "react";
import type { TrackController } from "../../../audio/player/track-controller.ts";
import type { ViewportStore, VisibleRange } from "../waveform/viewport.ts";

interface PlayerContextValue {
  trackController: TrackController;
  viewport: ViewportStore;
  /** The position's slider, which receives the focus of controls that disappear. */
  slider: RefObject<HTMLDivElement | null>;
}

export const PlayerContext = createContext<PlayerContextValue | null>(null);

export function usePlayerContext(): PlayerContextValue {
  const value = use(PlayerContext);
  if (!value) throw new Error("A part of the player was rendered outside of a player page");
  return value;
}

/** Returns a function that clears the loop. The buttons that do so disappear, so the slider receives the focus if it was among them. */
export function useClearLoop(): (controls: Element | null) => void {
  const { trackController, slider } = usePlayerContext();
  return (controls) => {
    if (controls?.contains(document.activeElement)) slider.current?.focus({ preventScroll: true });
    trackController.setLoop(null);
  };
}

/** Returns the range that the detail waveform shows, and renders when it changes. */
export function useVisibleRange(): VisibleRange {
  const { subscribe, view } = usePlayerContext().viewport;
  return useSyncExternalStore(subscribe, view);
}
