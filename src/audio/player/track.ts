/** Defines tracks and the player's state. */
import type { Volume } from "./preferences.ts";

export interface Track {
  fileId: number;
  /** Null if the service does not return versions. */
  version: number | null;
  name: string;
  /** URL of the audio or video; same origin, requested with the session cookie. */
  src: string;
  /** Seconds. */
  duration: number;
  /** Amplitudes from 0 to 1 for the waveform in the mini player. */
  wave: readonly number[];
  projectId: number | null;
  /** URL of the square cover picture embedded in the file. */
  coverUrl?: string;
  /** Plays at the persisted rate for voice notes. */
  isVoice?: boolean;
  /** True for a video. */
  isVideo?: boolean;
  /** True if `src` is the original file although a streaming copy exists. */
  isOriginal?: boolean;
  /** Path of the page that shows the track, instead of its file's page; null if it has no page and is shown only where it plays. */
  pagePath?: string | null;
}

export interface PlayerState {
  track: Track | null;
  isPlaying: boolean;
  /** Seconds. */
  position: number;
  /** True while playback waits for data. */
  isBuffering: boolean;
  /** Readable reason why the track does not play. */
  error: string | null;
  /** Duration that the browser reports, in seconds; 0 while unknown. */
  detectedDuration: number;
  /** True while a recording runs, which would pick up any playback. */
  isSuspended: boolean;
  /** Number of play requests refused while suspended. */
  refusedPlayCount: number;
  /** Playback rate of voice notes. */
  voiceRate: number;
  volume: Volume;
}

/** The part of the state that a new track resets. */
export const EMPTY_STATE = { track: null, isPlaying: false, position: 0, isBuffering: false, error: null, detectedDuration: 0 };

/** The part of a media element that the player uses; tests provide their own. */
export type Media = Pick<
  HTMLMediaElement,
  "src" | "currentTime" | "duration" | "ended" | "paused" | "error" | "play" | "pause" | "load" | "addEventListener" | "removeAttribute"
> & {
  preload: string;
  defaultPlaybackRate: number;
  playbackRate: number;
  preservesPitch: boolean;
  volume: number;
  muted: boolean;
};

/** Returns whether both are the same version of the same file, regardless of the URL and of original or streaming copy. */
export const isSameTrack = (a: Pick<Track, "fileId" | "version"> | null, b: Pick<Track, "fileId" | "version">) =>
  a?.fileId === b.fileId && a.version === b.version;

/** A position change of at most this many seconds between two reads counts as continuous playback. */
const MAX_PLAYBACK_STEP_SECONDS = 0.6;
/** Returns whether playback can have moved the position, in contrast to a seek. */
export const isContinuous = (previous: number, current: number): boolean => current >= previous && current - previous <= MAX_PLAYBACK_STEP_SECONDS;

/** Limits a position to the track; a track of unknown duration has no end. */
export const clampPosition = (seconds: number, { duration }: Pick<Track, "duration">): number =>
  Math.max(0, duration > 0 ? Math.min(seconds, duration) : seconds);

/** Seconds. URLs store positions in tenths, so less than a tenth may be missing. */
const END_TOLERANCE_SECONDS = 0.1;
/** Returns whether a position is so close to the end that playback restarts from the beginning. */
export const isAtEnd = (position: number, { duration }: Pick<Track, "duration">): boolean => duration > 0 && position >= duration - END_TOLERANCE_SECONDS;
