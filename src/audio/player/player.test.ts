import { beforeEach, describe, expect, test, vi } from "vitest";
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

test("the position follows the media element frame by frame from play to pause", () => {
  player.play(track(1));
  expect(player.state()).toMatchObject({ isPlaying: true, isBuffering: true, position: 0, error: null });
  expect(media.src).toBe("/media/1");
  media.fire("playing");
  expect(player.state().isBuffering).toBe(false);
  media.currentTime = 1.5;
  nextFrame();
  expect(player.state().position).toBe(1.5);
  player.pause();
  expect(media.paused).toBe(true);
  expect(player.state()).toMatchObject({ isPlaying: false, position: 1.5 });
  media.currentTime = 9;
  nextFrame();
  expect(player.state().position).toBe(1.5);
});

test("only one animation frame is requested at a time", () => {
  player.play(track(1));
  media.fire("playing");
  media.fire("playing");
  expect(frames).toHaveLength(1);
});

test("toggle resumes at the current position; another track starts at 0 and stops the first", () => {
  player.play(track(1), 20);
  expect(media.currentTime).toBe(20);
  player.toggle(track(1));
  expect(player.state().isPlaying).toBe(false);
  player.toggle(track(1));
  expect(player.state()).toMatchObject({ isPlaying: true, position: 20 });
  player.toggle(track(2));
  expect(player.state()).toMatchObject({ isPlaying: true, position: 0 });
  expect(player.state().track?.fileId).toBe(2);
  expect(media.src).toBe("/media/2");
});

test("a new version of the same file is another track", () => {
  player.play(track(1), 20);
  player.play(track(1, { version: 2, src: "/media/1/2" }));
  expect(media.src).toBe("/media/1/2");
  expect(player.state().position).toBe(0);
});

test("seeking stays within the track and ignores invalid positions", () => {
  player.seek(5);
  expect(player.state().position).toBe(0);
  player.play(track(1));
  player.seek(70);
  expect(media.currentTime).toBe(60);
  player.seek(-3);
  expect(player.state().position).toBe(0);
  player.seek(Number.NaN);
  expect(media.currentTime).toBe(0);
});

test("cue makes a track current without playing it", () => {
  player.cue(track(1), 33);
  expect(media.playCount).toBe(0);
  expect(player.state()).toMatchObject({ isPlaying: false, position: 33 });
  player.play(track(1));
  expect(media.currentTime).toBe(33);
});

test("playback stops at the end, and playing again starts over", () => {
  player.play(track(1));
  media.fire("playing");
  media.currentTime = 59.9;
  media.fire("ended");
  expect(player.state()).toMatchObject({ isPlaying: false, position: 60 });
  player.toggle(track(1));
  expect(media.currentTime).toBe(0);
  expect(player.state().position).toBe(0);
});

describe("errors", () => {
  test.each([
    [2, /connection was lost/],
    [3, /damaged/],
    [4, /couldn't be loaded/],
  ])("media error %i shows a message", (code, message) => {
    player.play(track(1));
    media.error = { code };
    media.fire("error");
    expect(player.state()).toMatchObject({ isPlaying: false, isBuffering: false });
    expect(player.state().error).toMatch(message);
  });

  test("playing after an error reloads the track and resumes at its position", () => {
    player.play(track(1), 12);
    media.error = { code: 2 };
    media.fire("error");
    media.error = null;
    media.src = "";
    media.currentTime = 0;
    player.toggle(track(1));
    expect(media.src).toBe("/media/1");
    expect(media.currentTime).toBe(12);
    expect(player.state()).toMatchObject({ isPlaying: true, error: null });
  });

  test("a browser that blocks playback leaves the track paused", async () => {
    media.playResult = () => Promise.reject(new DOMException("not allowed", "NotAllowedError"));
    player.play(track(1));
    await vi.waitFor(() => expect(player.state().isPlaying).toBe(false));
    expect(player.state().error).toBeNull();
  });

  test("a play call interrupted by a newer one causes no error", async () => {
    media.playResult = () => Promise.reject(new DOMException("cut short", "AbortError"));
    player.play(track(1));
    await Promise.resolve();
    await Promise.resolve();
    expect(player.state().isPlaying).toBe(true);
  });
});

test("stop resets the state, and late events change nothing", () => {
  player.play(track(1));
  player.stop();
  expect(player.state()).toMatchObject({ track: null, isPlaying: false, position: 0, isBuffering: false, error: null });
  expect(media.removeAttribute).toHaveBeenCalledWith("src");
  media.error = { code: 4 };
  media.fire("error");
  media.fire("playing");
  expect(player.state().track).toBeNull();
  expect(player.state().error).toBeNull();
});

test("listeners are notified only of changes", () => {
  const listener = vi.fn<() => void>();
  const unsubscribe = player.subscribe(listener);
  player.play(track(1));
  const before = listener.mock.calls.length;
  expect(before).toBeGreaterThan(0);
  player.seek(0);
  expect(listener).toHaveBeenCalledTimes(before);
  unsubscribe();
  player.pause();
  expect(listener).toHaveBeenCalledTimes(before);
});

test("nothing plays during a recording, and refused plays are counted without an error", () => {
  player.play(track(1));
  media.fire("playing");
  player.suspend(true);
  expect([media.paused, player.state().isPlaying, player.state().isSuspended]).toEqual([true, false, true]);
  const { playCount } = media;
  player.play(track(2));
  player.toggle(track(1));
  player.resume();
  expect([media.playCount, player.state().track?.fileId, player.state().refusedPlayCount, player.state().error]).toEqual([playCount, 1, 3, null]);
  player.suspend(false);
  player.play(track(2));
  expect([media.playCount, player.state().track?.fileId]).toEqual([playCount + 1, 2]);
});

test("voice notes play at the voice rate with preserved pitch, other tracks do not", () => {
  player.setVoiceRate(1.5);
  player.play(track(1, { isVoice: true }));
  expect([media.playbackRate, media.defaultPlaybackRate, media.preservesPitch]).toEqual([1.5, 1.5, true]);
  player.setVoiceRate(2);
  expect([media.playbackRate, player.state().voiceRate]).toEqual([2, 2]);
  player.play(track(2));
  expect(media.playbackRate).toBe(1);
  player.play(track(3, { isVoice: true }));
  expect(media.playbackRate).toBe(2);
});

test("an end that the browser reports after the position was moved away counts for nothing", () => {
  const onEnded = vi.fn<() => void>();
  player.onEnded(onEnded);
  player.play(track(1));
  player.seek(60);
  player.seek(55);
  media.ended = false;
  media.fire("ended");
  expect([player.state().position, onEnded.mock.calls.length]).toEqual([55, 0]);
});

test("onEnded fires when a track plays to its end, not when it is paused or seeked there", () => {
  const ended: number[] = [];
  const unsubscribe = player.onEnded(({ fileId }) => ended.push(fileId));
  player.play(track(1));
  player.pause();
  player.play(track(2));
  media.fire("ended");
  // The person drags the slider.
  player.seek(60);
  media.fire("ended");
  player.play(track(2));
  player.seek(30);
  media.fire("ended");
  unsubscribe();
  media.fire("ended");
  expect(ended).toEqual([2, 2]);
});
