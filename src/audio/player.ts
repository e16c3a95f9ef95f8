/** The one player of the page: a media element outside React, so that playback survives the view that began it. */
import { t } from "../lib/messages/player.ts";
import { keepMediaSession } from "./media-session.ts";
import { recallVoiceRate } from "./voice-rate.ts";

export interface Track {
  fileId: number;
  /** Null where the service does not tell versions. */
  version: number | null;
  name: string;
  /** Address of the sound; same origin, sent with the session's cookie. */
  src: string;
  /** Seconds. */
  duration: number;
  /** 0 to 1, for the drawing in the mini player. */
  wave: readonly number[];
  projectId: number | null;
  /** Words of somebody: they follow the speed that is remembered for voices. */
  voice?: boolean;
  /** Path of the page where it stands, instead of its file's; null: it has none, and is shown where it plays alone. */
  home?: string | null;
}

export interface PlayerState {
  track: Track | null;
  playing: boolean;
  /** Seconds. */
  position: number;
  /** It should sound, but the bytes have not come yet. */
  waiting: boolean;
  /** Why it does not sound, in plain words. */
  fault: string | null;
  /** Nothing may sound now: a recording goes on, and would record it. */
  hushed: boolean;
  /** How often something was to sound meanwhile. */
  refused: number;
  /** Speed of voices. */
  voiceRate: number;
}

/** What of a media element is used; tests hand in another one. */
export type Media = Pick<HTMLMediaElement, "src" | "currentTime" | "paused" | "error" | "play" | "pause" | "load" | "addEventListener" | "removeAttribute"> & {
  preload: string;
  defaultPlaybackRate: number;
  playbackRate: number;
  preservesPitch: boolean;
};

const NOTHING = { track: null, playing: false, position: 0, waiting: false, fault: null };
/** So close to the end playing starts from the beginning again. */
const AT_END_SECONDS = 0.05;

const FAULTS: Record<number, () => string> = { 2: () => t("faultNetwork"), 3: () => t("faultDamaged"), 4: () => t("faultFormat") };

const isSame = (a: Track | null, b: Track) => a?.fileId === b.fileId && a.version === b.version;

/** `onFrame` calls back before the next picture; `makeMedia` is called once, with the first sound. */
export function createPlayer(makeMedia: () => Media, onFrame: (callback: () => void) => void, voiceRate = 1) {
  let state: PlayerState = { ...NOTHING, hushed: false, refused: 0, voiceRate };
  const endListeners = new Set<(track: Track) => void>();
  let media: Media | null = null;
  let ticking = false;
  /** Its end was sought, not heard. */
  let soughtEnd = false;
  const listeners = new Set<() => void>();

  function set(change: Partial<PlayerState>) {
    const next = { ...state, ...change };
    if ((Object.keys(next) as (keyof PlayerState)[]).every((key) => Object.is(next[key], state[key]))) return;
    state = next;
    for (const listener of listeners) listener();
  }

  /** While it sounds the position follows the element frame by frame. */
  function tick() {
    ticking = false;
    if (!media || !state.playing) return;
    set({ position: Math.min(media.currentTime, state.track?.duration || Number.POSITIVE_INFINITY) });
    keepTicking();
  }
  function keepTicking() {
    if (ticking || !state.playing) return;
    ticking = true;
    onFrame(tick);
  }

  function element(): Media {
    if (media) return media;
    const made = makeMedia();
    made.preload = "metadata";
    const on = (type: string, listener: () => void) => made.addEventListener(type, () => state.track && listener());
    on("playing", () => {
      set({ playing: true, waiting: false, fault: null });
      keepTicking();
    });
    on("waiting", () => set({ waiting: state.playing }));
    on("seeked", () => set({ position: made.currentTime, waiting: false }));
    on("timeupdate", () => state.playing && set({ position: made.currentTime }));
    // A source that is taken away pauses too: then the track is already another one, and plays or not by its own word.
    on("pause", () => made.paused && set({ playing: false, waiting: false }));
    on("ended", () => {
      const track = state.track!;
      set({ playing: false, waiting: false, position: track.duration || made.currentTime });
      if (soughtEnd) return;
      for (const listener of endListeners) listener(track);
    });
    on("error", () => made.error && set({ playing: false, waiting: false, fault: (FAULTS[made.error.code] ?? FAULTS[2]!)() }));
    media = made;
    keepMediaSession(player);
    return made;
  }

  const clamp = (seconds: number, { duration }: Track) => Math.max(0, duration > 0 ? Math.min(seconds, duration) : seconds);

  /** Makes it the current track, silent, at `at`. */
  function take(track: Track, at: number) {
    const target = element();
    target.pause();
    soughtEnd = false;
    target.src = track.src;
    setRate(target, track);
    // Before anything is loaded this is where it will begin.
    target.currentTime = at;
    state = { ...state, ...NOTHING, track, position: at };
  }

  function setRate(target: Media, track: Track) {
    target.preservesPitch = true;
    // A new source begins at the default.
    target.defaultPlaybackRate = target.playbackRate = track.voice ? state.voiceRate : 1;
  }

  function begin(target: Media) {
    set({ playing: true, waiting: true, fault: null });
    keepTicking();
    target.play().catch((error: unknown) => {
      // A newer command took over: it has said what is the case.
      if (error instanceof DOMException && error.name === "AbortError") return;
      set({ playing: false, waiting: false });
    });
  }

  const player = {
    state: () => state,
    /** Calls back after each change. Returns the way to stop. */
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Plays `track`, from `atSeconds` or from where it stands; whatever else sounds stops. */
    play(track: Track, atSeconds?: number) {
      if (state.hushed) return set({ refused: state.refused + 1 });
      const current = isSame(state.track, track);
      const from = atSeconds ?? (current && state.position < track.duration - AT_END_SECONDS ? state.position : 0);
      if (!current || state.fault) take(track, clamp(from, track));
      else if (Math.abs(from - state.position) > 0.001 || from === 0) player.seek(from);
      begin(element());
    },
    /** Makes it the current track without a sound, for what opens at a position. */
    cue(track: Track, atSeconds: number) {
      if (isSame(state.track, track)) return player.seek(atSeconds);
      take(track, clamp(atSeconds, track));
      for (const listener of listeners) listener();
    },
    pause() {
      media?.pause();
      set({ playing: false, waiting: false });
    },
    toggle(track: Track) {
      if (isSame(state.track, track) && state.playing) player.pause();
      else player.play(track);
    },
    /** Goes on with the current track. */
    resume() {
      if (state.track) player.play(state.track);
    },
    seek(seconds: number) {
      if (!media || !state.track || !Number.isFinite(seconds)) return;
      const to = clamp(seconds, state.track);
      media.currentTime = to;
      soughtEnd = state.track.duration > 0 && to >= state.track.duration - AT_END_SECONDS;
      set({ position: to });
    },
    /** While it is on nothing sounds, and what is to sound is refused. */
    hush(on: boolean) {
      if (on) player.pause();
      set({ hushed: on });
    },
    /** Speed of voices, now and from now on; their pitch stays. */
    setVoiceRate(rate: number) {
      set({ voiceRate: rate });
      if (media && state.track) setRate(media, state.track);
    },
    /** Calls back when a track has sounded to its end. Returns the way to stop. */
    onEnded(listener: (track: Track) => void) {
      endListeners.add(listener);
      return () => void endListeners.delete(listener);
    },
    /** Silence, and no track. */
    stop() {
      if (!media) return;
      state = { ...state, ...NOTHING };
      media.pause();
      media.removeAttribute("src");
      media.load();
      for (const listener of listeners) listener();
    },
  };
  return player;
}

export const player = createPlayer(
  () => new Audio(),
  (callback) => requestAnimationFrame(callback),
  recallVoiceRate(),
);
