import { vi } from "vitest";
import type { Track } from "./track.ts";

export const track = (fileId: number, overrides: Partial<Track> = {}): Track => ({
  fileId,
  version: 1,
  name: `mix ${fileId}.wav`,
  src: `/media/${fileId}`,
  duration: 60,
  wave: [0.5],
  projectId: 1,
  ...overrides,
});

/** Fakes a media element whose playback the test controls. */
export function fakeMedia() {
  const target = new EventTarget();
  const media = {
    src: "",
    preload: "",
    defaultPlaybackRate: 1,
    playbackRate: 1,
    preservesPitch: false,
    currentTime: 0,
    duration: Number.NaN,
    volume: 1,
    muted: false,
    /** What a listener of the event "ended" finds; false if the position was moved since. */
    ended: true,
    paused: true,
    error: null as { code: number } | null,
    playCount: 0,
    playResult: () => Promise.resolve(),
    play() {
      media.playCount++;
      media.paused = false;
      return media.playResult();
    },
    pause() {
      if (media.paused) return;
      media.paused = true;
      target.dispatchEvent(new Event("pause"));
    },
    load: vi.fn<() => void>(),
    removeAttribute: vi.fn<(name: string) => void>(),
    addEventListener: target.addEventListener.bind(target),
    fire: (type: string) => target.dispatchEvent(new Event(type)),
  };
  return media;
}
