import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connectMediaSession, type EmbeddedTags, parseEmbeddedTags } from "./media-session.ts";

/** The part of a browser's media session that the code uses; `unsupported` is an action that the browser does not support. */
function fakeSession(unsupported: string) {
  const handlers = new Map<string, (details: { seekOffset?: number; seekTime?: number }) => void>();
  return {
    handlers,
    metadata: null as MediaMetadataInit | null,
    playbackState: "none",
    setActionHandler(action: string, handler: () => void) {
      if (action === unsupported) throw new TypeError("not an action");
      handlers.set(action, handler);
    },
  };
}

let session: ReturnType<typeof fakeSession>;
let notify: () => void;
const playerState = { track: null as { name: string; coverUrl?: string; isVoice?: boolean } | null, isPlaying: false, position: 20 };
const loadTags = vi.fn<() => Promise<EmbeddedTags>>();
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
    // oxlint-disable-next-line prefer-arrow-callback -- arrow functions are no constructors
    function MediaMetadata(this: object, init: object) {
      Object.assign(this, init);
    },
  );
  loadTags.mockReset().mockResolvedValue({});
  Object.assign(playerState, { track: null, isPlaying: false });
  connectMediaSession(controls, loadTags);
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

test("the media session shows the cover at once and the file's own tags once they are loaded, requested once per track that plays", async () => {
  loadTags.mockResolvedValue({ title: "Nightdrive", artist: "Halden" });
  playerState.track = { name: "mix.wav", coverUrl: "/cover" };
  notify();
  expect(session.metadata).toEqual({ title: "mix.wav", artwork: [{ src: "/cover", sizes: "320x320", type: "image/webp" }] });
  expect(loadTags).not.toHaveBeenCalled();
  playerState.isPlaying = true;
  notify();
  notify();
  await vi.waitFor(() => expect(session.metadata).toMatchObject({ title: "Nightdrive", artist: "Halden", artwork: [{ src: "/cover" }] }));
  notify();
  expect(loadTags).toHaveBeenCalledOnce();
});

test("tags that fail to load, or that arrive for a track that is gone, change nothing; voice notes have none", async () => {
  let resolveFirst = (_tags: EmbeddedTags): void => {};
  loadTags.mockReturnValueOnce(new Promise((resolve) => (resolveFirst = resolve))).mockRejectedValueOnce(new Error("offline"));
  playerState.isPlaying = true;
  playerState.track = { name: "first.wav" };
  notify();
  playerState.track = { name: "second.wav" };
  notify();
  resolveFirst({ title: "First" });
  await Promise.resolve();
  playerState.track = { name: "From Ana", isVoice: true };
  notify();
  await Promise.resolve();
  expect(session.metadata).toMatchObject({ title: "From Ana" });
  expect(loadTags).toHaveBeenCalledTimes(2);
});

test.each([
  ['{"title":"Nightdrive","artist":["Halden","Mara"],"album":"EP","bpm":"128"}', { title: "Nightdrive", artist: "Halden, Mara", album: "EP" }],
  ['{"title":"","artist":[1,null],"album":{"name":"EP"}}', {}],
  ["not JSON", {}],
  ["null", {}],
  ["", {}],
])("reads the tags of %s", (annotations, tags) => expect(parseEmbeddedTags(annotations)).toEqual(tags));

test("a browser without a media session causes no error", () => {
  vi.stubGlobal("navigator", {});
  expect(() => connectMediaSession(controls, loadTags)).not.toThrow();
});
