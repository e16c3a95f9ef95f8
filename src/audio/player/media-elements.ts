/** Keeps the player's media elements: one for video, and two for audio, so that the next track can load while the current one plays. */
import type { MediaUrls } from "../../api/token-media.ts";
import type { Media } from "./track.ts";

export type MediaElements = ReturnType<typeof createMediaElements>;

/** Each element is created when it is first needed, and passed to `onCreate` once. */
export function createMediaElements(create: (isVideo: boolean) => Media, onCreate: (media: Media) => void) {
  const elements = new Map<boolean, Media>();
  let spare: Media | null = null;
  function createElement(isVideo: boolean): Media {
    const media = create(isVideo);
    media.preload = "metadata";
    onCreate(media);
    return media;
  }
  return {
    getOrCreate(isVideo: boolean): Media {
      const media = elements.get(isVideo) ?? createElement(isVideo);
      elements.set(isVideo, media);
      return media;
    },
    all: (): Media[] => [...elements.values(), ...(spare ? [spare] : [])],
    getOrCreateSpare: (): Media => (spare ??= createElement(false)),
    /** Makes the spare the element for audio, and the other one the spare. */
    useSpare(): Media {
      const media = spare ?? createElement(false);
      spare = elements.get(false) ?? null;
      elements.set(false, media);
      return media;
    },
    /** Silences the end of a track that the spare may still play. */
    pauseSpare: () => spare?.pause(),
  };
}

/** Removes the element's source. */
export function unload(media: Media): void {
  media.removeAttribute("src");
  media.load();
}

interface SourceListener {
  /** The address that was searched for is known now. */
  onFound(target: Media, src: string): void;
  onFailed(target: Media): void;
}

/** Sets the sources of elements, after a search where an URL's address is not known yet. Another source ends the search. */
export function createSources(urls: Pick<MediaUrls, "get" | "load">, { onFound, onFailed }: SourceListener) {
  let search: object | null = null;
  function find(target: Media, src: string) {
    const thisSearch = (search = {});
    const settle = (callback: () => void) => () => {
      if (search !== thisSearch) return;
      search = null;
      callback();
    };
    urls.load(src).then(
      settle(() => onFound(target, src)),
      settle(() => onFailed(target)),
    );
  }
  return {
    set(target: Media, src: string): void {
      const address = urls.get(src);
      search = null;
      if (address !== null) target.src = address;
      else {
        unload(target);
        find(target, src);
      }
    },
    isSearching: () => search !== null,
    cancelSearch: () => void (search = null),
  };
}
