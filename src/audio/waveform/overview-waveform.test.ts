import { expect, test } from "vitest";
import { fakeMedia, track } from "../player/media.fixture.ts";
import { createPlayer, type Media } from "../player/player.ts";
import { createTrackController } from "../player/track-controller.ts";
import { TrackControllerMedia } from "./overview-waveform.ts";

test("the adapter emits the events of a media element and controls playback", () => {
  const player = createPlayer(
    () => fakeMedia() as unknown as Media,
    () => {},
  );
  const trackController = createTrackController(player, track(1));
  const media = new TrackControllerMedia(trackController);
  const events: string[] = [];
  for (const type of ["play", "pause", "timeupdate"]) media.addEventListener(type, () => events.push(type));
  void media.play();
  media.currentTime = 7;
  expect(player.state().position).toBe(7);
  media.pause();
  expect(events).toEqual(["play", "timeupdate", "pause"]);
  expect(media).toMatchObject({ paused: true, duration: 60, currentTime: 7, ended: false });
  media.currentTime = 60;
  expect(media.ended).toBe(true);
  media.release();
  player.play(track(1), 1);
  expect(events).toHaveLength(4);
});
