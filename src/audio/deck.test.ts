import { beforeEach, describe, expect, test, vi } from "vitest";
import { createDeck } from "./deck.ts";
import { DeckMedia } from "./deck-media.ts";
import { createPlayer, type Track } from "./player.ts";

const track = (fileId: number): Track => ({ fileId, version: 1, name: "mix.wav", src: `/media/${fileId}`, duration: 60, wave: [], projectId: 1 });

let player: ReturnType<typeof createPlayer>;
beforeEach(() => {
  const media = {
    src: "",
    preload: "",
    defaultPlaybackRate: 1,
    playbackRate: 1,
    preservesPitch: true,
    currentTime: 0,
    duration: 60,
    volume: 1,
    muted: false,
    paused: true,
    error: null,
    play: () => Promise.resolve(),
    pause: () => {},
    load: () => {},
    removeAttribute: () => {},
    addEventListener: () => {},
  };
  player = createPlayer(
    () => media,
    () => {},
  );
});

test("opens at its start without taking the player", () => {
  const deck = createDeck(player, track(1));
  deck.seek(33.4);
  expect(deck.state()).toMatchObject({ position: 33.4, playing: false });
  expect(player.state().track).toBeNull();
});

test("plays from where the page opened", () => {
  const deck = createDeck(player, track(1));
  deck.seek(12);
  deck.subscribe(() => {});
  deck.toggle();
  expect(player.state()).toMatchObject({ playing: true, position: 12 });
  expect(deck.state()).toMatchObject({ playing: true, position: 12 });
  deck.toggle();
  expect(player.state().playing).toBe(false);
});

test("joins what plays already, at its place", () => {
  player.play(track(1), 30);
  expect(createDeck(player, track(1)).state()).toMatchObject({ playing: true, position: 30 });
  const deck = createDeck(player, track(1));
  deck.seek(5);
  expect(player.state().position).toBe(5);
});

describe("while another sound plays", () => {
  test("seeking here leaves it alone, playing here takes over from there", () => {
    player.play(track(2), 10);
    const deck = createDeck(player, track(1));
    deck.subscribe(() => {});
    deck.seek(99);
    expect(deck.state().position).toBe(60);
    deck.seek(20);
    expect(player.state()).toMatchObject({ playing: true, position: 10 });
    deck.pause();
    expect(player.state().playing).toBe(true);
    deck.play();
    expect(player.state()).toMatchObject({ playing: true, position: 20 });
    expect(player.state().track?.fileId).toBe(1);
  });

  test("this one keeps its place when the other takes over", () => {
    const deck = createDeck(player, track(1));
    deck.seek(20);
    deck.subscribe(() => {});
    deck.play();
    player.play(track(2));
    expect(deck.state()).toMatchObject({ playing: false, position: 20 });
  });
});

test("as a media element: tells play, pause and time, and steers", () => {
  const deck = createDeck(player, track(1));
  const media = new DeckMedia(deck);
  const heard: string[] = [];
  for (const type of ["play", "pause", "timeupdate"]) media.addEventListener(type, () => heard.push(type));
  void media.play();
  media.currentTime = 7;
  expect(player.state().position).toBe(7);
  media.pause();
  expect(heard).toEqual(["play", "timeupdate", "pause"]);
  expect(media).toMatchObject({ paused: true, duration: 60, currentTime: 7, ended: false });
  media.currentTime = 60;
  expect(media.ended).toBe(true);
  media.release();
  player.play(track(1), 1);
  expect(heard).toHaveLength(4);
});

test("nobody is told when nothing changes", () => {
  const deck = createDeck(player, track(1));
  const heard = vi.fn<() => void>();
  deck.subscribe(heard);
  player.play(track(2));
  player.seek(5);
  expect(heard).not.toHaveBeenCalled();
});

test("speed and loop are the file's, whether the player holds it or not", () => {
  const deck = createDeck(player, track(1));
  deck.subscribe(() => {});
  deck.setRate(1.5);
  deck.loopFrom(10);
  deck.loopTo(20);
  expect(deck.state()).toMatchObject({ rate: 1.5, loop: { from: 10, to: 20, on: true } });
  // The page is left and opened again.
  expect(createDeck(player, track(1)).state()).toMatchObject({ rate: 1.5, loop: { from: 10, to: 20 } });
  expect(createDeck(player, track(2)).state()).toMatchObject({ rate: 1, loop: null });
  deck.toggleLoop();
  deck.dragLoop("to", 25);
  expect(deck.state().loop).toEqual({ from: 10, to: 25, on: false });
  deck.setLoop(null);
  expect(deck.state().loop).toBeNull();
});

test("another copy is taken where this sound plays, and a new address of the same one disturbs nothing", () => {
  const deck = createDeck(player, track(1));
  deck.seek(8);
  deck.play();
  deck.update({ ...track(1), src: "/media/1?signed=again" });
  expect(player.state().track?.src).toBe("/media/1");
  deck.update({ ...track(1), src: "/original/1", original: true });
  expect(player.state()).toMatchObject({ playing: true, position: 8, track: { src: "/original/1" } });
  player.play(track(2));
  deck.update(track(1));
  expect(player.state().track?.fileId).toBe(2);
});

test("a film is shown at its place only where nothing else would be disturbed", () => {
  const deck = createDeck(player, { ...track(1), film: true });
  deck.seek(5);
  deck.cue();
  expect(player.state()).toMatchObject({ playing: false, position: 5, track: { fileId: 1 } });
  deck.leave();
  expect(player.state().track).toBeNull();
  player.play(track(2));
  deck.cue();
  deck.leave();
  expect(player.state()).toMatchObject({ playing: true, track: { fileId: 2 } });
});

test("a film that is opened takes no paused sound's place", () => {
  player.play(track(2), 30);
  player.pause();
  const deck = createDeck(player, { ...track(1), film: true });
  deck.cue();
  expect(player.state()).toMatchObject({ track: { fileId: 2 }, position: 30 });
  player.stop();
  deck.cue();
  expect(player.state().track?.fileId).toBe(1);
});

test("where an address tells the end in tenths, playing begins anew", () => {
  const deck = createDeck(player, { ...track(1), duration: 22.43 });
  deck.seek(22.4);
  deck.play();
  expect(player.state().position).toBe(0);
});
