import { useEffect, type RefObject } from "react";
import { player } from "./player.ts";

/** Allows only one playback at a time: a starting video pauses the player, the starting player pauses the video, and a recording pauses both. */
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
