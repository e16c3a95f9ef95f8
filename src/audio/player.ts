/** The one player of the page: media elements outside React, so that playback survives the view that began it. */
import { t } from "../lib/messages/player.ts";
import { isSameLoop, leadsBack, type Loop } from "./loop.ts";
import { keepMediaSession } from "./media-session.ts";
import { createRecovery, type Renew } from "./recovery.ts";
import { isAtEnd, type Media, type PlayerState, type Track } from "./track.ts";
import { recallVoiceRate } from "./voice-rate.ts";
import { recallVolume, rememberVolume, type Volume } from "./volume.ts";

export type { Media, PlayerState, Track } from "./track.ts";

/** How one file is listened to, as long as the page lives. Another file begins at its own. */
export interface Listening {
  /** Speed; the pitch stays. */
  rate: number;
  loop: Loop | null;
}

const NOTHING = { track: null, playing: false, position: 0, waiting: false, fault: null, learned: 0 };
const PLAIN: Listening = { rate: 1, loop: null };

const FAULTS: Record<number, () => string> = { 2: () => t("faultNetwork"), 3: () => t("faultDamaged"), 4: () => t("faultFormat") };

/** The same sound, by whichever address or copy. */
export const isSameSound = (a: Pick<Track, "fileId" | "version"> | null, b: Pick<Track, "fileId" | "version">) =>
  a?.fileId === b.fileId && a.version === b.version;

interface More {
  voiceRate?: number;
  volume?: Volume;
  /** Asks for a track's address anew; without it a source that breaks stays broken. */
  renew?: Renew;
}

/** `onFrame` calls back before the next picture; `makeMedia` is called once for sounds and once for films, with the first of each. */
export function createPlayer(makeMedia: (film: boolean) => Media, onFrame: (callback: () => void) => void, more: More = {}) {
  let state: PlayerState = { ...NOTHING, hushed: false, refused: 0, voiceRate: more.voiceRate ?? 1, volume: more.volume ?? { level: 1, muted: false } };
  const endListeners = new Set<(track: Track) => void>();
  const made = new Map<boolean, Media>();
  /** The element of the current track. */
  let media: Media | null = null;
  const habits = new Map<number, Listening>();
  let ticking = false;
  /** Its end was sought, not heard. */
  let soughtEnd = false;
  /** The current track was shown, and has never been played. */
  let unheard = false;
  const listeners = new Set<() => void>();

  function tell() {
    for (const listener of listeners) listener();
  }
  function set(change: Partial<PlayerState>) {
    const next = { ...state, ...change };
    if ((Object.keys(next) as (keyof PlayerState)[]).every((key) => Object.is(next[key], state[key]))) return;
    state = next;
    tell();
  }
  const listeningTo = (fileId: number) => habits.get(fileId) ?? PLAIN;

  /** Where the element stands now; round its loop where it has one. */
  function follow(target: Media) {
    const { track } = state;
    const position = Math.min(target.currentTime, track?.duration || Number.POSITIVE_INFINITY);
    const back = track && state.playing ? leadsBack(listeningTo(track.fileId).loop, state.position, position) : null;
    if (back !== null) target.currentTime = back;
    set({ position: back ?? position });
  }
  /** While it sounds the position follows the element frame by frame. */
  function tick() {
    ticking = false;
    if (!media || !state.playing) return;
    // A source that is being brought back stands at its beginning.
    if (!recovery.isUnderWay()) follow(media);
    keepTicking();
  }
  function keepTicking() {
    if (ticking || !state.playing) return;
    ticking = true;
    onFrame(tick);
  }

  const recovery = createRecovery({
    renew: more.renew ?? null,
    current: () => state,
    load(track, src) {
      state = { ...state, track: { ...track, src } };
      point(media!, src, state.position);
      if (state.playing) start(media!);
      else tell();
    },
    fail: (why) => set({ playing: false, waiting: false, fault: why === "gone" ? t("faultGone") : (FAULTS[why] ?? FAULTS[2]!)() }),
  });

  function element(film: boolean): Media {
    const known = made.get(film);
    if (known) return known;
    const fresh = makeMedia(film);
    made.set(film, fresh);
    fresh.preload = "metadata";
    setVolume(fresh);
    const on = (type: string, listener: () => void) => fresh.addEventListener(type, () => state.track && fresh === media && listener());
    on("loadedmetadata", () => Number.isFinite(fresh.duration) && set({ learned: fresh.duration }));
    on("playing", () => {
      set({ playing: true, waiting: false, fault: null });
      keepTicking();
    });
    on("waiting", () => set({ waiting: state.playing }));
    on("seeked", () => !recovery.isUnderWay() && set({ position: fresh.currentTime, waiting: false }));
    // In a tab that is not seen no frame comes.
    on("timeupdate", () => {
      if (!state.playing || recovery.isUnderWay()) return;
      recovery.heard(fresh.currentTime);
      follow(fresh);
    });
    // A source that is taken away pauses too: then the track is already another one, and plays or not by its own word.
    on("pause", () => fresh.paused && !recovery.isUnderWay() && set({ playing: false, waiting: false }));
    on("ended", () => {
      const track = state.track!;
      const { loop } = listeningTo(track.fileId);
      if (loop?.on && !soughtEnd && state.position >= loop.from) return player.play(track, loop.from);
      set({ playing: false, waiting: false, position: track.duration || fresh.currentTime });
      if (soughtEnd) return;
      for (const listener of endListeners) listener(track);
    });
    on("error", () => {
      if (!fresh.error) return;
      if (state.playing) set({ waiting: true });
      recovery.broke(fresh.error.code);
    });
    if (made.size === 1) keepMediaSession(player);
    return fresh;
  }

  const clamp = (seconds: number, { duration }: Track) => Math.max(0, duration > 0 ? Math.min(seconds, duration) : seconds);

  /** Gives the element another source, which is to begin at `at`. */
  function point(target: Media, src: string, at: number) {
    target.src = src;
    if (state.track) setRate(target, state.track);
    // Before anything is loaded this is where it will begin.
    target.currentTime = at;
  }
  /** Makes it the current track, silent, at `at`. */
  function take(track: Track, at: number) {
    recovery.forget();
    media?.pause();
    const target = element(track.film ?? false);
    if (media && media !== target) unload(media);
    soughtEnd = false;
    media = target;
    state = { ...state, ...NOTHING, track, position: at };
    point(target, track.src, at);
  }
  function unload(target: Media) {
    target.removeAttribute("src");
    target.load();
  }

  function setRate(target: Media, track: Track) {
    target.preservesPitch = true;
    // A new source begins at the default.
    target.defaultPlaybackRate = target.playbackRate = track.voice ? state.voiceRate : listeningTo(track.fileId).rate;
  }
  function setVolume(target: Media) {
    target.volume = state.volume.level;
    target.muted = state.volume.muted;
  }

  function begin(target: Media) {
    unheard = false;
    set({ playing: true, waiting: true, fault: null });
    keepTicking();
    start(target);
  }
  function start(target: Media) {
    target.play().catch((error: unknown) => {
      // A newer command took over, or the source broke: those have said what is the case.
      if ((error instanceof DOMException && error.name === "AbortError") || recovery.isUnderWay() || target.error) return;
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
      const current = isSameSound(state.track, track);
      const from = atSeconds ?? (current && !isAtEnd(state.position, track) ? state.position : 0);
      if (!current || state.fault) take(track, clamp(from, track));
      else if (Math.abs(from - state.position) > 0.001 || from === 0) player.seek(from);
      begin(media!);
    },
    /** Makes it the current track without a sound, for what opens at a position. */
    cue(track: Track, atSeconds: number) {
      if (isSameSound(state.track, track)) return player.seek(atSeconds);
      take(track, clamp(atSeconds, track));
      unheard = true;
      tell();
    },
    /** Lets go of a track that was cued and never played. */
    dropUnheard: () => unheard && player.stop(),
    /** The same sound from another copy of it, at its place; it goes on where it went. */
    swap(track: Track) {
      if (!isSameSound(state.track, track)) return;
      const { playing, position } = state;
      take(track, position);
      if (playing) begin(media!);
      else tell();
    },
    pause() {
      media?.pause();
      set({ playing: false, waiting: false });
    },
    toggle(track: Track) {
      if (isSameSound(state.track, track) && state.playing) player.pause();
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
      soughtEnd = isAtEnd(to, state.track);
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
    /** How loud everything is, remembered. */
    setVolume(volume: Volume) {
      set({ volume });
      for (const target of made.values()) setVolume(target);
      rememberVolume(volume);
    },
    listening: listeningTo,
    setListening(fileId: number, change: Partial<Listening>) {
      const before = listeningTo(fileId);
      const next = { ...before, ...change };
      if (next.rate === before.rate && isSameLoop(next.loop, before.loop)) return;
      habits.set(fileId, next);
      if (media && state.track?.fileId === fileId) setRate(media, state.track);
      tell();
    },
    /** The element that shows the current film; null while there is none. */
    film: () => (state.track?.film ? media : null),
    /** Calls back when a track has sounded to its end. Returns the way to stop. */
    onEnded(listener: (track: Track) => void) {
      endListeners.add(listener);
      return () => void endListeners.delete(listener);
    },
    /** Silence, and no track. */
    stop() {
      if (!media) return;
      recovery.forget();
      state = { ...state, ...NOTHING };
      media.pause();
      unload(media);
      tell();
    },
  };
  return player;
}

export const player = createPlayer(
  (film) => (film ? Object.assign(document.createElement("video"), { playsInline: true }) : new Audio()),
  (callback) => requestAnimationFrame(callback),
  { voiceRate: recallVoiceRate(), volume: recallVolume(), renew: async (track) => (await import("./renew.ts")).renew(track) },
);
