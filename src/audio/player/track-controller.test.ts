import { beforeEach, describe, expect, test, vi } from "vitest";
import { fakeMedia, track } from "./media.fixture.ts";
import { createPlayer, type Media } from "./player.ts";
import { createTrackController } from "./track-controller.ts";

let player: ReturnType<typeof createPlayer>;
beforeEach(() => {
  const media = fakeMedia();
  player = createPlayer(
    () => media as unknown as Media,
    () => {},
  );
});

test("seeking before playback does not change the player", () => {
  const trackController = createTrackController(player, track(1));
  trackController.seek(33.4);
  expect(trackController.state()).toMatchObject({ position: 33.4, isPlaying: false });
  expect(player.state().track).toBeNull();
});

test("playback starts at the page's position", () => {
  const trackController = createTrackController(player, track(1));
  trackController.seek(12);
  trackController.subscribe(() => {});
  trackController.toggle();
  expect(player.state()).toMatchObject({ isPlaying: true, position: 12 });
  expect(trackController.state()).toMatchObject({ isPlaying: true, position: 12 });
  trackController.toggle();
  expect(player.state().isPlaying).toBe(false);
});

test("the page follows the player when it already plays this track", () => {
  player.play(track(1), 30);
  expect(createTrackController(player, track(1)).state()).toMatchObject({ isPlaying: true, position: 30 });
  const trackController = createTrackController(player, track(1));
  trackController.seek(5);
  expect(player.state().position).toBe(5);
});

describe("while another track plays", () => {
  test("seeking moves only this page, and playing continues from there", () => {
    player.play(track(2), 10);
    const trackController = createTrackController(player, track(1));
    trackController.subscribe(() => {});
    trackController.seek(99);
    expect(trackController.state().position).toBe(60);
    trackController.seek(20);
    expect(player.state()).toMatchObject({ isPlaying: true, position: 10 });
    trackController.pause();
    expect(player.state().isPlaying).toBe(true);
    trackController.play();
    expect(player.state()).toMatchObject({ isPlaying: true, position: 20 });
    expect(player.state().track?.fileId).toBe(1);
  });

  test("the page retains its position when another track starts", () => {
    const trackController = createTrackController(player, track(1));
    trackController.seek(20);
    trackController.subscribe(() => {});
    trackController.play();
    player.play(track(2));
    expect(trackController.state()).toMatchObject({ isPlaying: false, position: 20 });
  });
});

test("listeners are not notified when nothing changes", () => {
  const trackController = createTrackController(player, track(1));
  const listener = vi.fn<() => void>();
  trackController.subscribe(listener);
  player.play(track(2));
  player.seek(5);
  expect(listener).not.toHaveBeenCalled();
});

test("rate and loop belong to the file, whether or not its track is current", () => {
  const trackController = createTrackController(player, track(1));
  trackController.subscribe(() => {});
  trackController.setRate(1.5);
  trackController.setLoopStart(10);
  trackController.setLoopEnd(20);
  expect(trackController.state()).toMatchObject({ rate: 1.5, loop: { from: 10, to: 20, on: true } });
  // The page is closed and opened again.
  expect(createTrackController(player, track(1)).state()).toMatchObject({ rate: 1.5, loop: { from: 10, to: 20 } });
  expect(createTrackController(player, track(2)).state()).toMatchObject({ rate: 1, loop: null });
  trackController.toggleLoop();
  trackController.moveLoopEdge("to", 25);
  expect(trackController.state().loop).toEqual({ from: 10, to: 25, on: false });
  trackController.setLoop(null);
  expect(trackController.state().loop).toBeNull();
});

test("update swaps to another copy of the playing track, and ignores a new URL of the same copy", () => {
  const trackController = createTrackController(player, track(1));
  trackController.seek(8);
  trackController.play();
  trackController.update({ ...track(1), src: "/media/1?signed=again" });
  expect(player.state().track?.src).toBe("/media/1");
  trackController.update({ ...track(1), src: "/original/1", isOriginal: true });
  expect(player.state()).toMatchObject({ isPlaying: true, position: 8, track: { src: "/original/1" } });
  player.play(track(2));
  trackController.update(track(1));
  expect(player.state().track?.fileId).toBe(2);
});

test("a video loads at the page's position, unless another track is current", () => {
  const trackController = createTrackController(player, { ...track(1), isVideo: true });
  trackController.seek(5);
  trackController.cue();
  expect(player.state()).toMatchObject({ isPlaying: false, position: 5, track: { fileId: 1 } });
  trackController.detach();
  expect(player.state().track).toBeNull();
  player.play(track(2));
  trackController.cue();
  trackController.detach();
  expect(player.state()).toMatchObject({ isPlaying: true, track: { fileId: 2 } });
});

test("opening a video does not replace a paused track", () => {
  player.play(track(2), 30);
  player.pause();
  const trackController = createTrackController(player, { ...track(1), isVideo: true });
  trackController.cue();
  expect(player.state()).toMatchObject({ track: { fileId: 2 }, position: 30 });
  player.stop();
  trackController.cue();
  expect(player.state().track?.fileId).toBe(1);
});

test("playing starts over when the URL's position is the end rounded to tenths", () => {
  const trackController = createTrackController(player, { ...track(1), duration: 22.43 });
  trackController.seek(22.4);
  trackController.play();
  expect(player.state().position).toBe(0);
});
