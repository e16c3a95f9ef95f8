import { beforeEach, describe, expect, test } from "vitest";
import { fakeMedia, track } from "./media.fixture.ts";
import { createPlayer, type Media } from "./player.ts";

let media: ReturnType<typeof fakeMedia>;
let frames: (() => void)[];
let player: ReturnType<typeof createPlayer>;
const nextFrame = () => frames.splice(0).forEach((frame) => frame());

beforeEach(() => {
  media = fakeMedia();
  frames = [];
  player = createPlayer(
    () => media as unknown as Media,
    (callback) => frames.push(callback),
  );
});

describe("a loop", () => {
  test("jumps back when playback passes its end, even at the end of the track", () => {
    player.updateSettings(1, { loop: { from: 10, to: 20, on: true } });
    player.play(track(1), 19.98);
    media.fire("playing");
    media.currentTime = 20.01;
    nextFrame();
    expect([media.currentTime, player.state().position, player.state().isPlaying]).toEqual([10, 10, true]);
    // A hidden tab gets no frames.
    player.seek(19.9);
    media.currentTime = 20.2;
    media.fire("timeupdate");
    expect(media.currentTime).toBe(10);
    player.updateSettings(1, { loop: { from: 30, to: 60, on: true } });
    player.seek(59);
    media.paused = true;
    media.fire("ended");
    expect([media.currentTime, player.state().isPlaying, media.paused]).toEqual([30, true, false]);
  });
  test("does not affect playback after its end, or another file", () => {
    player.updateSettings(1, { loop: { from: 10, to: 20, on: true } });
    player.play(track(1), 30);
    media.fire("playing");
    media.currentTime = 30.02;
    nextFrame();
    expect(player.state().position).toBe(30.02);
    player.play(track(2), 19.9);
    media.currentTime = 20.1;
    nextFrame();
    expect(player.state().position).toBe(20.1);
  });
});

test("the playback rate belongs to the file, preserves pitch and returns with the file", () => {
  player.updateSettings(1, { rate: 0.75 });
  player.play(track(1));
  expect([media.playbackRate, media.defaultPlaybackRate, media.preservesPitch]).toEqual([0.75, 0.75, true]);
  player.updateSettings(1, { rate: 1.25 });
  expect(media.playbackRate).toBe(1.25);
  player.play(track(2));
  expect(media.playbackRate).toBe(1);
  player.play(track(1));
  expect(media.playbackRate).toBe(1.25);
});

test("volume and mute apply to every track", () => {
  player.setVolume({ level: 0.3, muted: false });
  player.play(track(1));
  expect([media.volume, media.muted]).toEqual([0.3, false]);
  player.setVolume({ level: 0.3, muted: true });
  expect([media.volume, media.muted, player.state().volume.muted]).toEqual([0.3, true, true]);
});

test("swapping to another copy of the same track preserves its position and playing state", () => {
  player.play(track(1), 20);
  media.fire("playing");
  player.swap(track(1, { src: "/original/1", isOriginal: true }));
  expect([media.src, media.currentTime, player.state().isPlaying, player.state().position]).toEqual(["/original/1", 20, true, 20]);
  player.pause();
  player.swap(track(1));
  expect([media.src, media.currentTime, player.state().isPlaying]).toEqual(["/media/1", 20, false]);
  player.swap(track(2));
  expect(player.state().track?.fileId).toBe(1);
});

test("videos use their own element; the element that is not in use is unloaded and its events are ignored", () => {
  const video = fakeMedia();
  player = createPlayer(
    (isVideo) => (isVideo ? video : media) as unknown as Media,
    (callback) => frames.push(callback),
  );
  player.play(track(1));
  player.cue(track(2, { isVideo: true }), 3);
  expect([video.src, video.currentTime, video.playCount, media.paused, player.videoElement() === (video as unknown)]).toEqual(["/media/2", 3, 0, true, true]);
  expect(media.removeAttribute).toHaveBeenCalledWith("src");
  media.error = { code: 4 };
  media.fire("error");
  expect(player.state().error).toBeNull();
  // A track that was only cued is released by its page; once played, it continues elsewhere.
  player.releaseCued();
  expect(player.state().track).toBeNull();
  player.cue(track(2, { isVideo: true }), 3);
  player.play(track(2, { isVideo: true }));
  player.releaseCued();
  expect(player.state()).toMatchObject({ isPlaying: true, position: 3 });
});

test("a duration that the service does not know comes from the browser", () => {
  player.play(track(1, { duration: 0 }));
  media.duration = 42;
  media.fire("loadedmetadata");
  expect(player.state().detectedDuration).toBe(42);
  player.play(track(2));
  expect(player.state().detectedDuration).toBe(0);
});
