import { isSameLoop, type Loop } from "./loop.ts";
import type { Volume } from "./preferences.ts";
import type { Media, Track } from "./track.ts";

/** Playback settings of one file, in memory until the page closes; every file starts with the defaults. */
export interface PlaybackSettings {
  /** Playback rate; the pitch is preserved. */
  rate: number;
  loop: Loop | null;
}

const DEFAULT_SETTINGS: PlaybackSettings = { rate: 1, loop: null };

export function createPlaybackSettings() {
  const settingsByFile = new Map<number, PlaybackSettings>();
  const get = (fileId: number) => settingsByFile.get(fileId) ?? DEFAULT_SETTINGS;
  return {
    get,
    /** Returns the rate at which a track plays; voice notes share one. */
    rateOf: ({ isVoice, fileId }: Track, voiceRate: number): number => (isVoice ? voiceRate : get(fileId).rate),
    /** Returns false if the file has these settings already. */
    update(fileId: number, change: Partial<PlaybackSettings>): boolean {
      const before = get(fileId);
      const next = { ...before, ...change };
      if (next.rate === before.rate && isSameLoop(next.loop, before.loop)) return false;
      settingsByFile.set(fileId, next);
      return true;
    },
  };
}

/** Sets the rate of the element's source, which keeps its pitch. A new source starts at the default rate. */
export function applyRate(media: Media, rate: number): void {
  media.preservesPitch = true;
  media.defaultPlaybackRate = media.playbackRate = rate;
}

export function applyVolume(media: Media, { level, muted }: Volume): void {
  media.volume = level;
  media.muted = muted;
}
