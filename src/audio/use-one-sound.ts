import { useEffect, type RefObject } from "react";
import { player } from "./player.ts";

/** Only one thing sounds at a time: a film that starts pauses the player, and the player that starts pauses the film. While somebody records none does. */
export function useOneSound(film: RefObject<HTMLVideoElement | null>): void {
  useEffect(() => {
    const element = film.current;
    if (!element) return;
    const onPlay = () => {
      if (player.state().hushed) element.pause();
      player.pause();
    };
    element.addEventListener("play", onPlay);
    const stop = player.subscribe(() => (player.state().playing || player.state().hushed) && !element.paused && element.pause());
    return () => {
      element.removeEventListener("play", onPlay);
      stop();
    };
  }, [film]);
}
