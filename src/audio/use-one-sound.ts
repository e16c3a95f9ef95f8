import { useEffect, type RefObject } from "react";
import { player } from "./player.ts";

/** Only one thing sounds at a time: a film that starts pauses the player, and the player that starts pauses the film. While somebody records none does. */
export function useExclusivePlayback(videoRef: RefObject<HTMLVideoElement | null>): void {
  useEffect(() => {
    const element = videoRef.current;
    if (!element) return;
    const onPlay = () => {
      if (player.state().suspended) element.pause();
      player.pause();
    };
    element.addEventListener("play", onPlay);
    const unsubscribe = player.subscribe(() => (player.state().playing || player.state().suspended) && !element.paused && element.pause());
    return () => {
      element.removeEventListener("play", onPlay);
      unsubscribe();
    };
  }, [videoRef]);
}
