/** Connects the player to the system's media controls: keyboard keys, lock screen, headset. */
import type { PlayerState, Track } from "./track.ts";

interface Controls {
  state(): Pick<PlayerState, "isPlaying" | "position"> & { track: Pick<Track, "name"> | null };
  subscribe(listener: () => void): () => void;
  resume(): void;
  pause(): void;
  seek(seconds: number): void;
  stop(): void;
}

const STEP_SECONDS = 5;

/** Keeps the system's media session in sync with the player until the returned function is called. */
export function connectMediaSession(player: Controls): () => void {
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
  const setHandler = (action: string, handler: MediaSessionActionHandler | null) => {
    try {
      session.setActionHandler(action as MediaSessionAction, handler);
    } catch {
      // The browser does not support this action.
    }
  };
  for (const [action, handler] of Object.entries(actions)) setHandler(action, handler);
  let shownTrack: Pick<Track, "name"> | null = null;
  const unsubscribe = player.subscribe(() => {
    const { track, isPlaying } = player.state();
    session.playbackState = track ? (isPlaying ? "playing" : "paused") : "none";
    if (track === shownTrack) return;
    shownTrack = track;
    session.metadata = track && typeof MediaMetadata !== "undefined" ? new MediaMetadata({ title: track.name }) : null;
  });
  return () => {
    unsubscribe();
    for (const action of Object.keys(actions)) setHandler(action, null);
  };
}
