import type { MediaUrls } from "../../api/token-media.ts";
import type { MediaElements } from "./media-elements.ts";
import { isSameTrack, type Media, type Track } from "./track.ts";

/** Loads the beginning of the next audio track in the spare element, so that it can start at once. */
export function createPreparedTrack(elements: Pick<MediaElements, "getOrCreateSpare" | "useSpare">, urls: Pick<MediaUrls, "get" | "load">) {
  /** The track that the spare element has loaded. */
  let prepared: Track | null = null;
  return {
    prepare(track: Track): void {
      const address = urls.get(track.src);
      if (track.isVideo || (prepared && isSameTrack(prepared, track) && prepared.src === track.src)) return;
      // The next call finds the address.
      if (address === null) return void urls.load(track.src).catch(() => undefined);
      const spare = elements.getOrCreateSpare();
      // It still plays the end of the track before; the next call loads.
      if (!spare.paused && !spare.ended) return;
      prepared = track;
      spare.preload = "auto";
      spare.src = address;
    },
    /** Makes the spare the element for audio if it has loaded this track, and returns both; null if it has not. */
    take(track: Track): { media: Media; track: Track } | null {
      if (!prepared || !isSameTrack(prepared, track) || elements.getOrCreateSpare().error) return null;
      const taken = prepared;
      prepared = null;
      return { media: elements.useSpare(), track: taken };
    },
  };
}
