import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connectMediaSession } from "./media-session.ts";

/** The part of a browser's media session that the code uses; `unsupported` is an action that the browser does not support. */
function fakeSession(unsupported: string) {
  const handlers = new Map<string, (details: { seekOffset?: number; seekTime?: number }) => void>();
  return {
    handlers,
    metadata: null as { title: string } | null,
    playbackState: "none",
    setActionHandler(action: string, handler: () => void) {
      if (action === unsupported) throw new TypeError("not an action");
      handlers.set(action, handler);
    },
  };
}

let session: ReturnType<typeof fakeSession>;
let notify: () => void;
const playerState = { track: null as { name: string } | null, isPlaying: false, position: 20 };
const controls = {
  state: () => playerState,
  subscribe: (listener: () => void) => ((notify = listener), () => {}),
  resume: vi.fn<() => void>(),
  pause: vi.fn<() => void>(),
  seek: vi.fn<(seconds: number) => void>(),
  stop: vi.fn<() => void>(),
};

beforeEach(() => {
  session = fakeSession("seekto");
  vi.stubGlobal("navigator", { mediaSession: session });
  vi.stubGlobal(
    "MediaMetadata",
    class {
      title: string;
      constructor({ title }: { title: string }) {
        this.title = title;
      }
    },
  );
  connectMediaSession(controls);
});
afterEach(() => vi.unstubAllGlobals());

test("media keys control the player, and actions that the browser doesn't know are skipped", () => {
  session.handlers.get("play")?.({});
  session.handlers.get("pause")?.({});
  session.handlers.get("seekbackward")?.({});
  session.handlers.get("seekforward")?.({ seekOffset: 10 });
  expect(controls.resume).toHaveBeenCalledOnce();
  expect(controls.pause).toHaveBeenCalledOnce();
  expect(controls.seek.mock.calls).toEqual([[15], [30]]);
  expect(session.handlers.has("seekto")).toBe(false);
});

test("the media session shows the current track, and nothing without one", () => {
  playerState.track = { name: "mix.wav" };
  playerState.isPlaying = true;
  notify();
  expect(session).toMatchObject({ playbackState: "playing", metadata: { title: "mix.wav" } });
  playerState.isPlaying = false;
  notify();
  expect(session.playbackState).toBe("paused");
  playerState.track = null;
  notify();
  expect(session).toMatchObject({ playbackState: "none", metadata: null });
});

test("a browser without a media session causes no error", () => {
  vi.stubGlobal("navigator", {});
  expect(() => connectMediaSession(controls)).not.toThrow();
});
