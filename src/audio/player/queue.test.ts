import { beforeEach, describe, expect, test, vi } from "vitest";
import { fakeMedia, track } from "./media.fixture.ts";
import { createPlayer, type Media } from "./player.ts";
import { connectQueueKeys } from "./queue-keys.ts";
import { createQueue, hasNext, type PlayQueue, type Queue } from "./queue.ts";

type FakeMedia = ReturnType<typeof fakeMedia>;
let elements: FakeMedia[];
let frames: (() => void)[];
let timers: { callback: () => void; ms: number }[];
let nowMs: number;
let player: ReturnType<typeof createPlayer>;
let queue: Queue;

const album = (fileIds: readonly number[], gapMs = 0): PlayQueue => ({
  key: "playlist:1",
  title: "Album order",
  path: "/playlists/1",
  gapMs,
  entries: fileIds.map((fileId, index) => ({ id: 100 + index, track: track(fileId) })),
});
const playing = () => player.state().track?.fileId ?? null;
const current = () => elements.find(({ src, paused }) => !paused && src === player.state().track?.src)!;
/** Moves playback of the current track to a second, as the element does. */
function playTo(second: number): void {
  current().currentTime = second;
  frames.splice(0).forEach((frame) => frame());
}
const runTimers = () => timers.splice(0).forEach(({ callback }) => callback());
/** Lets the current track end, as an element does that has nothing left. */
function end(): void {
  const media = current();
  media.currentTime = 60;
  media.paused = true;
  media.fire("ended");
}

beforeEach(() => {
  [elements, frames, timers, nowMs] = [[], [], [], 0];
  player = createPlayer(
    () => {
      const media = fakeMedia();
      elements.push(media);
      return media as unknown as Media;
    },
    (callback) => frames.push(callback),
  );
  queue = createQueue(player, {
    now: () => nowMs,
    set(callback, ms) {
      const timer = { callback, ms };
      timers.push(timer);
      return timer;
    },
    clear: (timer) => void (timers = timers.filter((candidate) => candidate !== timer)),
  });
});

test("the next track loads near the end of the current one, and starts just before it in another element", () => {
  queue.play(album([1, 2]), 0);
  current().fire("playing");
  playTo(39);
  expect(elements).toHaveLength(1);
  playTo(41);
  expect(elements[1]).toMatchObject({ src: "/media/2", preload: "auto", playCount: 0 });
  playTo(59.6);
  expect(timers).toMatchObject([{ ms: expect.closeTo(400 - 5 - 12, 0) }]);
  elements[0]!.currentTime = 59.995;
  runTimers();
  expect(playing()).toBe(2);
  expect(elements[1]!.playCount).toBe(1);
  // The end of the first track is still heard.
  expect(elements[0]!.paused).toBe(false);
  expect(queue.get()).toMatchObject({ index: 1, isWaiting: false });
});

test("the track after a short one loads only when the element has played the end of the one before", () => {
  queue.play({ ...album([1, 2, 3]), entries: [1, 2, 3].map((fileId) => ({ id: fileId, track: track(fileId, { duration: 10 }) })) }, 0);
  current().fire("playing");
  playTo(9.6);
  elements[0]!.currentTime = 9.995;
  elements[0]!.ended = false;
  runTimers();
  expect(playing()).toBe(2);
  current().fire("playing");
  playTo(0.01);
  expect(elements[0]!.src).toBe("/media/1");
  Object.assign(elements[0]!, { paused: true, ended: true });
  playTo(0.02);
  expect(elements[0]!.src).toBe("/media/3");
});

test("a timer that fires early waits for the rest", () => {
  queue.play(album([1, 2]), 0);
  current().fire("playing");
  playTo(59.6);
  elements[0]!.currentTime = 59.98;
  runTimers();
  expect(playing()).toBe(1);
  expect(timers).toMatchObject([{ ms: expect.closeTo(3, 0) }]);
});

test.each([59.8, 59.99])("a track that stops at second %d, without an event, does not stop the queue", (second) => {
  queue.play(album([1, 2, 3]), 0);
  current().fire("playing");
  playTo(second);
  const startedAt = nowMs;
  let turns = 0;
  while (playing() === 1 && turns < 1_000) {
    turns += 1;
    // Timers of 0 take some milliseconds, and in a hidden tab a second.
    nowMs += Math.max(second === 59.8 ? 4 : 1_000, ...timers.map(({ ms }) => ms));
    runTimers();
  }
  expect(playing()).toBe(2);
  expect(nowMs - startedAt).toBeGreaterThanOrEqual(3_000);
  expect(nowMs - startedAt).toBeLessThanOrEqual(4_000);
  expect(turns).toBeLessThan(100);
  // Its element is silent, and loads the track after the next one.
  expect(elements[0]!.paused).toBe(true);
  current().fire("playing");
  playTo(41);
  expect(elements[0]!.src).toBe("/media/3");
});

test("seeking back or pausing cancels the start of the next track", () => {
  queue.play(album([1, 2]), 0);
  current().fire("playing");
  playTo(59.6);
  player.seek(10);
  expect(timers).toEqual([]);
  playTo(59.6);
  player.pause();
  expect(timers).toEqual([]);
});

test("if the timer is too late, the end of the track starts the next one", () => {
  queue.play(album([1, 2, 3]), 0);
  current().fire("playing");
  end();
  expect([playing(), queue.get().index, player.state().isPlaying]).toEqual([2, 1, true]);
});

test("the last track ends the queue, and a loop keeps its track", () => {
  queue.play(album([1, 2]), 1);
  current().fire("playing");
  end();
  expect([playing(), player.state().isPlaying, hasNext(queue.get())]).toEqual([2, false, false]);
  queue.play(album([1, 2]), 0);
  current().fire("playing");
  player.updateSettings(1, { loop: { from: 50, to: 60, on: true } });
  playTo(59.6);
  expect(timers).toEqual([]);
});

describe("with a gap", () => {
  beforeEach(() => {
    queue.play(album([1, 2], 2_500), 0);
    current().fire("playing");
    end();
  });
  const gap = () => [playing(), player.state().isPlaying, queue.get().isWaiting, timers.length];

  test("the next track starts after it; until then the player counts as playing", () => {
    expect([gap(), timers.map(({ ms }) => ms)]).toEqual([[1, true, true, 1], [2_500]]);
    runTimers();
    expect(gap()).toEqual([2, true, false, 0]);
  });

  test("whatever pauses the player in it makes the next track current and paused", () => {
    player.pause();
    expect(gap()).toEqual([2, false, false, 0]);
    queue.toggle();
    expect(gap()).toEqual([2, true, false, 0]);
  });

  test("a recording that begins in it is not disturbed", () => {
    player.suspend(true);
    expect(gap()).toEqual([2, false, false, 0]);
    expect(player.state().refusedPlayCount).toBe(0);
    expect(queue.get()).toMatchObject({ index: 1, queue: { key: "playlist:1" } });
  });

  test("playing the track again ends it", () => {
    player.play(track(1), 10);
    expect(gap()).toEqual([1, true, false, 0]);
  });

  test("previous plays the track that has just ended", () => {
    queue.previous();
    expect([gap(), player.state().position]).toEqual([[1, true, false, 0], 0]);
    expect(current()).toMatchObject({ src: "/media/1", paused: false });
  });

  test("without a next track any more, it ends", () => {
    queue.update(album([1], 2_500));
    expect([gap(), queue.get().isFinished]).toEqual([[1, false, false, 0], true]);
  });

  test("a new gap counts at once", () => {
    queue.update(album([1, 2], 500));
    expect(timers.map(({ ms }) => ms)).toEqual([500]);
  });
});

test("a track that cannot be played is skipped and named; if none can be played, the queue stops", () => {
  const failed: string[] = [];
  queue.onFailed(({ name }) => failed.push(name));
  const fail = () => {
    const media = current();
    media.error = { code: 3 };
    media.fire("error");
    media.error = null;
  };
  queue.play(album([1, 2, 3]), 0);
  current().fire("playing");
  fail();
  expect([playing(), player.state().isPlaying, failed]).toEqual([2, true, ["mix 1.wav"]]);
  fail();
  fail();
  expect([playing(), player.state().isPlaying, failed.length]).toEqual([3, false, 3]);
});

test("after its end the queue starts again from the beginning", () => {
  queue.play(album([1, 2]), 1);
  current().fire("playing");
  end();
  expect(queue.get().isFinished).toBe(true);
  queue.toggle();
  expect([playing(), queue.get().index, queue.get().isFinished, player.state().isPlaying]).toEqual([1, 0, false, true]);
});

test.each([0, 2_500])("seeking to the end does not count as played, with a gap of %i ms", (gapMs) => {
  queue.play(album([1, 2], gapMs), 0);
  current().fire("playing");
  player.seek(60);
  frames.splice(0).forEach((frame) => frame());
  end();
  expect([playing(), player.state().isPlaying, timers]).toEqual([1, false, []]);
});

test("next and previous: previous restarts a track that has played for a while", () => {
  queue.play(album([1, 2, 3]), 0);
  queue.next();
  expect([playing(), queue.get().index]).toEqual([2, 1]);
  current().fire("playing");
  playTo(10);
  queue.previous();
  expect([playing(), player.state().position]).toEqual([2, 0]);
  queue.previous();
  expect([playing(), queue.get().index]).toEqual([1, 0]);
});

test("another track, and the end of playback, end the queue", () => {
  queue.play(album([1, 2]), 0);
  player.play(track(9));
  expect(queue.get()).toMatchObject({ queue: null, index: -1 });
  queue.play(album([1, 2]), 0);
  player.stop();
  expect(queue.get().queue).toBeNull();
});

test("the same file twice in a row plays twice", () => {
  queue.play(album([1, 1]), 0);
  current().fire("playing");
  end();
  expect([playing(), queue.get().index, player.state().isPlaying, player.state().position]).toEqual([1, 1, true, 0]);
});

describe("when the list changes while it plays", () => {
  beforeEach(() => queue.play(album([1, 2, 3]), 1));
  const change = (ids: readonly number[]) => {
    const { entries } = album([1, 2, 3, 4]);
    queue.update({ ...album([]), entries: ids.map((id) => entries.find((entry) => entry.id === id)!) });
  };

  test("the current track keeps playing at its new place", () => {
    change([101, 100, 102]);
    expect([playing(), queue.get().index]).toEqual([2, 0]);
    queue.next();
    expect(playing()).toBe(1);
  });

  test("after the current track was removed, the one in its place follows", () => {
    change([100, 102, 103]);
    expect(playing()).toBe(2);
    queue.next();
    expect([playing(), queue.get().index]).toEqual([3, 1]);
  });

  test("another list changes nothing", () => {
    queue.update({ ...album([7]), key: "playlist:2" });
    expect(queue.get().queue?.entries).toHaveLength(3);
  });
});

test("the system's keys move in the queue while there is one", () => {
  const handlers = new Map<string, (() => void) | null>();
  vi.stubGlobal("navigator", { mediaSession: { setActionHandler: (action: string, handler: (() => void) | null) => handlers.set(action, handler) } });
  const disconnect = connectQueueKeys(queue);
  queue.play(album([1, 2]), 0);
  handlers.get("nexttrack")!();
  expect(playing()).toBe(2);
  expect(handlers.get("nexttrack")).toBeNull();
  handlers.get("previoustrack")!();
  expect(playing()).toBe(1);
  player.stop();
  expect([handlers.get("nexttrack"), handlers.get("previoustrack")]).toEqual([null, null]);
  disconnect();
  vi.unstubAllGlobals();
});
