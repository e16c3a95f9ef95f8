import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fakeMedia, track } from "./media.fixture.ts";
import { createPlayer, type Media } from "./player.ts";
import type { Renewed } from "./recovery.ts";
import type { Track } from "./track.ts";

let media: ReturnType<typeof fakeMedia>;
let frames: (() => void)[];
let player: ReturnType<typeof createPlayer>;
const nextFrame = () => frames.splice(0).forEach((frame) => frame());

beforeEach(() => {
  media = fakeMedia();
  frames = [];
});

describe("a source that breaks while it is heard", () => {
  const answers: (Renewed | Error)[] = [];
  const asked: Track[] = [];
  const breaks = (code: number) => {
    media.error = { code };
    media.fire("error");
    media.error = null;
  };
  const settled = () => vi.advanceTimersByTimeAsync(0);
  beforeEach(() => {
    vi.useFakeTimers();
    answers.length = asked.length = 0;
    player = createPlayer(
      () => media as unknown as Media,
      (callback) => frames.push(callback),
      {
        renew: (broken) => {
          asked.push(broken);
          const answer = answers.shift() ?? "away";
          return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
        },
      },
    );
    player.play(track(1), 12);
    media.fire("playing");
    media.currentTime = 14;
    nextFrame();
  });
  afterEach(() => vi.useRealTimers());

  test("its address is asked for anew, and it goes on where it was without a stop", async () => {
    answers.push({ src: "/media/1?signed=again" });
    const { plays } = media;
    breaks(4);
    // The element stands at nothing meanwhile: the position does not.
    media.currentTime = 0;
    nextFrame();
    media.fire("timeupdate");
    expect(player.state()).toMatchObject({ playing: true, waiting: true, position: 14, fault: null });
    await settled();
    expect([media.src, media.currentTime, media.plays]).toEqual(["/media/1?signed=again", 14, plays + 1]);
    expect(player.state()).toMatchObject({ playing: true, position: 14, fault: null });
    expect(player.state().track?.src).toBe("/media/1?signed=again");
  });
  test("where nobody answers it waits, tries again and goes on; a pause meanwhile is kept", async () => {
    answers.push("away", new Error("no line"), { src: "/media/1" });
    breaks(2);
    await settled();
    expect(player.state()).toMatchObject({ playing: true, waiting: true, fault: null });
    player.pause();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked).toHaveLength(3);
    expect([media.src, media.currentTime, player.state().playing]).toEqual(["/media/1", 14, false]);
  });
  test("at last it says so, and playing again begins anew at the same place", async () => {
    breaks(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(player.state()).toMatchObject({ playing: false, waiting: false, position: 14 });
    expect(player.state().fault).toMatch(/connection broke/);
    media.currentTime = 0;
    player.toggle(track(1));
    expect([media.currentTime, player.state().fault]).toEqual([14, null]);
  });
  test("where nobody ever answered it was the connection, whatever the element made of it", async () => {
    breaks(4);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(player.state().fault).toMatch(/connection broke/);
  });
  test.each<[string, number, Renewed, RegExp]>([
    ["a format that this browser does not take", 4, { src: "/media/1" }, /does not know its format/],
    ["a file that is gone", 2, "gone", /not there any more/],
  ])("%s is told at once", async (_, code, answer, words) => {
    answers.push(answer);
    breaks(code);
    await settled();
    expect(player.state().fault).toMatch(words);
    expect(asked).toHaveLength(1);
  });
  test("damaged data is no matter of addresses", () => {
    breaks(3);
    expect(player.state().fault).toMatch(/damaged/);
    expect(asked).toEqual([]);
  });
  test("another sound makes it void", async () => {
    answers.push({ src: "/late" });
    breaks(2);
    player.play(track(2));
    await settled();
    expect([media.src, player.state().track?.fileId]).toEqual(["/media/2", 2]);
  });
});
