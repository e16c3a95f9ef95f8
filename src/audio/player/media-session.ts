/** Connects the player to the system's media controls: keyboard keys, lock screen, headset. */
import type { PlayerState, Track } from "./track.ts";

type ShownTrack = Pick<Track, "name" | "coverUrl" | "isVoice">;

/** What the file itself says about the recording. */
export interface EmbeddedTags {
  title?: string;
  artist?: string;
  album?: string;
}

/** Reads the tags from a file's annotations, which are any text: JSON with strings, or lists of strings for several values, is understood. */
export function parseEmbeddedTags(annotations: string): EmbeddedTags {
  let record: unknown;
  try {
    record = JSON.parse(annotations);
  } catch {
    return {};
  }
  if (typeof record !== "object" || record === null) return {};
  const tags: EmbeddedTags = {};
  for (const name of ["title", "artist", "album"] as const) {
    const value = (record as Record<string, unknown>)[name];
    const texts = (Array.isArray(value) ? value : [value]).filter((text) => typeof text === "string" && text !== "");
    if (texts.length > 0) tags[name] = texts.join(", ");
  }
  return tags;
}

interface Controls<T extends ShownTrack> {
  state(): Pick<PlayerState, "isPlaying" | "position"> & { track: T | null };
  subscribe(listener: () => void): () => void;
  resume(): void;
  pause(): void;
  seek(seconds: number): void;
  stop(): void;
}

const STEP_SECONDS = 5;

/** Side of the service's cover pictures, in pixels. */
const COVER_SIZE = "320x320";

function createMetadata({ name, coverUrl }: ShownTrack, tags: EmbeddedTags, getAddress: (url: string) => string | null): MediaMetadata {
  const cover = coverUrl === undefined ? null : getAddress(coverUrl);
  const artwork = cover === null ? [] : [{ src: cover, sizes: COVER_SIZE, type: "image/webp" }];
  return new MediaMetadata({ title: name, ...tags, artwork });
}

/** Sets the handler of a system key; null removes it. */
export function setMediaHandler(session: MediaSession, action: string, handler: MediaSessionActionHandler | null): void {
  try {
    session.setActionHandler(action as MediaSessionAction, handler);
  } catch {
    // The browser does not support this action.
  }
}

/**
 * Keeps the system's media session in sync with the player until the returned function is called. `loadTags` is called once per track, when it first plays;
 * the file's name stands for a title that is missing or not loaded yet. `getAddress` returns where the browser can load a cover, or null if that is not
 * known yet.
 */
export function connectMediaSession<T extends ShownTrack>(
  player: Controls<T>,
  loadTags: (track: T) => Promise<EmbeddedTags>,
  getAddress: (url: string) => string | null = (url) => url,
): () => void {
  if (typeof navigator === "undefined" || !("mediaSession" in navigator)) return () => {};
  const session = navigator.mediaSession;
  const seekBy = (seconds: number) => player.seek(player.state().position + seconds);
  const actions: Partial<Record<MediaSessionAction, (details: MediaSessionActionDetails) => void>> = {
    play: () => player.resume(),
    pause: () => player.pause(),
    stop: () => player.stop(),
    seekbackward: ({ seekOffset }) => seekBy(-(seekOffset ?? STEP_SECONDS)),
    seekforward: ({ seekOffset }) => seekBy(seekOffset ?? STEP_SECONDS),
    seekto: ({ seekTime }) => seekTime !== undefined && player.seek(seekTime),
  };
  for (const [action, handler] of Object.entries(actions)) setMediaHandler(session, action, handler);
  let shownTrack: T | null = null;
  let hasRequestedTags = false;
  async function showTags(track: T) {
    hasRequestedTags = true;
    const tags = await loadTags(track).catch(() => ({}));
    if (track === shownTrack) session.metadata = createMetadata(track, tags, getAddress);
  }
  const unsubscribe = player.subscribe(() => {
    const { track, isPlaying } = player.state();
    session.playbackState = track ? (isPlaying ? "playing" : "paused") : "none";
    if (typeof MediaMetadata === "undefined") return;
    if (track !== shownTrack) {
      shownTrack = track;
      hasRequestedTags = false;
      session.metadata = track ? createMetadata(track, {}, getAddress) : null;
    }
    if (track && isPlaying && !track.isVoice && !hasRequestedTags) void showTags(track);
  });
  return () => {
    unsubscribe();
    for (const action of Object.keys(actions)) setMediaHandler(session, action, null);
  };
}
