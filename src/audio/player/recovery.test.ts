import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fakeMedia, track } from "./media.fixture.ts";
import { createPlayer, type Media } from "./player.ts";
import type { RefetchedSource } from "./recovery.ts";
import type { Track } from "./track.ts";

let media: ReturnType<typeof fakeMedia>;
let frames: (() => void)[];
let player: ReturnType<typeof createPlayer>;
const nextFrame = () => frames.splice(0).forEach((frame) => frame());

beforeEach(() => {
  media = fakeMedia();
  frames = [];
});

describe("a source that fails during playback", () => {
  const results: (RefetchedSource | Error)[] = [];
  const requestedTracks: Track[] = [];
  const failMedia = (code: number) => {
    media.error = { code };
    media.fire("error");
    media.error = null;
  };
  const flush = () => vi.advanceTimersByTimeAsync(0);
  beforeEach(() => {
    vi.useFakeTimers();
    results.length = requestedTracks.length = 0;
    player = createPlayer(
      () => media as unknown as Media,
      (callback) => frames.push(callback),
      {
        refetchSource: (brokenTrack) => {
          requestedTracks.push(brokenTrack);
          const result = results.shift() ?? "unreachable";
          return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
        },
      },
    );
    player.play(track(1), 12);
    media.fire("playing");
    media.currentTime = 14;
    nextFrame();
  });
  afterEach(() => vi.useRealTimers());

  test("is refetched, and playback resumes at the same position", async () => {
    results.push({ src: "/media/1?signed=again" });
    const { playCount } = media;
    failMedia(4);
    // The element is at 0 meanwhile, but the position stays.
    media.currentTime = 0;
    nextFrame();
    media.fire("timeupdate");
    expect(player.state()).toMatchObject({ isPlaying: true, isBuffering: true, position: 14, error: null });
    await flush();
    expect([media.src, media.currentTime, media.playCount]).toEqual(["/media/1?signed=again", 14, playCount + 1]);
    expect(player.state()).toMatchObject({ isPlaying: true, position: 14, error: null });
    expect(player.state().track?.src).toBe("/media/1?signed=again");
  });
  test("is retried until the service responds, and a pause meanwhile stays", async () => {
    results.push("unreachable", new Error("no line"), { src: "/media/1" });
    failMedia(2);
    await flush();
    expect(player.state()).toMatchObject({ isPlaying: true, isBuffering: true, error: null });
    player.pause();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(requestedTracks).toHaveLength(3);
    expect([media.src, media.currentTime, player.state().isPlaying]).toEqual(["/media/1", 14, false]);
  });
  test("shows an error after the last retry, and playing resumes at the same position", async () => {
    failMedia(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(player.state()).toMatchObject({ isPlaying: false, isBuffering: false, position: 14 });
    expect(player.state().error).toMatch(/connection was lost/);
    media.currentTime = 0;
    player.toggle(track(1));
    expect([media.currentTime, player.state().error]).toEqual([14, null]);
  });
  test("counts as a lost connection when no request was answered, whatever the media error was", async () => {
    failMedia(4);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(player.state().error).toMatch(/connection was lost/);
  });
  test.each<[string, number, RefetchedSource, RegExp]>([
    ["a format that this browser does not support", 4, { src: "/media/1" }, /doesn't support its format/],
    ["a deleted file", 2, "unavailable", /was deleted/],
  ])("%s shows its error immediately", async (_, code, result, message) => {
    results.push(result);
    failMedia(code);
    await flush();
    expect(player.state().error).toMatch(message);
    expect(requestedTracks).toHaveLength(1);
  });
  test("damaged data is not refetched", () => {
    failMedia(3);
    expect(player.state().error).toMatch(/damaged/);
    expect(requestedTracks).toEqual([]);
  });
  test("playing another track cancels the recovery", async () => {
    results.push({ src: "/late" });
    failMedia(2);
    player.play(track(2));
    await flush();
    expect([media.src, player.state().track?.fileId]).toEqual(["/media/2", 2]);
  });
});

describe("a source whose address has to be found first", () => {
  const searches: { resolve(address: string): void; reject(error: Error): void }[] = [];
  const addresses = new Map<string, string>();
  const flush = () => vi.advanceTimersByTimeAsync(0);
  beforeEach(() => {
    vi.useFakeTimers();
    searches.length = 0;
    addresses.clear();
    player = createPlayer(
      () => media as unknown as Media,
      (callback) => frames.push(callback),
      {
        media: {
          get: (url) => addresses.get(url) ?? null,
          load: (url) =>
            new Promise((resolve, reject) =>
              searches.push({
                resolve: (address) => {
                  addresses.set(url, address);
                  resolve(address);
                },
                reject,
              }),
            ),
        },
        refetchSource: async ({ src }, failedAddress) => (failedAddress === "signed:2" ? "too-large" : { src, hasNewAddress: true }),
      },
    );
  });
  afterEach(() => vi.useRealTimers());

  test("begins at the last position once the address is known", async () => {
    player.play(track(1), 12);
    expect([media.playCount, media.removeAttribute.mock.calls]).toEqual([0, [["src"]]]);
    expect(player.state()).toMatchObject({ isPlaying: true, isBuffering: true, position: 12 });
    player.seek(20);
    searches[0]!.resolve("signed:1");
    await flush();
    expect([media.src, media.currentTime, media.playCount]).toEqual(["signed:1", 20, 1]);
    // The next time, the address is known.
    player.pause();
    player.play(track(1));
    expect([searches.length, media.playCount]).toEqual([1, 2]);
  });
  test("does not begin after a pause, nor for another track", async () => {
    player.play(track(1));
    player.pause();
    searches[0]!.resolve("signed:1");
    await flush();
    expect([media.src, media.playCount]).toEqual(["signed:1", 0]);
    player.play(track(2));
    addresses.set("/media/3", "signed:3");
    player.play(track(3));
    searches[1]!.resolve("signed:2");
    await flush();
    expect([media.src, media.playCount]).toEqual(["signed:3", 1]);
  });
  test("is searched again if the search fails, and says so if the bytes are too many", async () => {
    player.play(track(1));
    searches[0]!.reject(new Error("refused"));
    await flush();
    expect(searches).toHaveLength(2);
    searches[1]!.resolve("signed:2");
    await flush();
    expect([media.src, media.playCount]).toEqual(["signed:2", 1]);
    media.error = { code: 4 };
    media.fire("error");
    await vi.advanceTimersByTimeAsync(500);
    expect(player.state()).toMatchObject({ isPlaying: false, error: expect.stringMatching(/too large to play here/) });
  });
});
