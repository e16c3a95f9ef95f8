/** What the player plays, and how it stands. */
import type { Volume } from "./volume.ts";

export interface Track {
  fileId: number;
  /** Null where the service does not tell versions. */
  version: number | null;
  name: string;
  /** Address of the sound; same origin, sent with the session's cookie. */
  src: string;
  /** Seconds. */
  duration: number;
  /** 0 to 1, for the drawing in the mini player. */
  wave: readonly number[];
  projectId: number | null;
  /** Words of somebody: they follow the speed that is remembered for voices. */
  isVoice?: boolean;
  /** It has a picture. */
  isVideo?: boolean;
  /** `src` leads to the file itself, although there is a copy for streaming. */
  isOriginal?: boolean;
  /** Path of the page where it stands, instead of its file's; null: it has none, and is shown where it plays alone. */
  pagePath?: string | null;
}

export interface PlayerState {
  track: Track | null;
  playing: boolean;
  /** Seconds. */
  position: number;
  /** It should sound, but the bytes have not come yet. */
  buffering: boolean;
  /** Why it does not sound, in plain words. */
  error: string | null;
  /** Its length by the browser's word, in seconds; 0 while that is not known. */
  detectedDuration: number;
  /** Nothing may sound now: a recording goes on, and would record it. */
  suspended: boolean;
  /** How often something was to sound meanwhile. */
  refusedPlayCount: number;
  /** Speed of voices. */
  voiceRate: number;
  volume: Volume;
}

/** What of a media element is used; tests hand in another one. */
export type Media = Pick<
  HTMLMediaElement,
  "src" | "currentTime" | "duration" | "paused" | "error" | "play" | "pause" | "load" | "addEventListener" | "removeAttribute"
> & {
  preload: string;
  defaultPlaybackRate: number;
  playbackRate: number;
  preservesPitch: boolean;
  volume: number;
  muted: boolean;
};

/** Seconds. An address tells tenths, so less than that may be missing. */
const END_TOLERANCE_SECONDS = 0.1;
/** So close to the end playing starts from the beginning again. */
export const isAtEnd = (position: number, { duration }: Pick<Track, "duration">): boolean => duration > 0 && position >= duration - END_TOLERANCE_SECONDS;
