/** Implements the only player of a client, with media elements outside React, so that playback survives the view that started it. */
import type { MediaUrls } from "../../api/token-media.ts";
import { createEmitter } from "../../lib/store.ts";
import { loopJumpTarget } from "./loop.ts";
import { createMediaElements, createSources, unload } from "./media-elements.ts";
import { connectMediaSession, type EmbeddedTags } from "./media-session.ts";
import { applyRate, applyVolume, createPlaybackSettings, type PlaybackSettings } from "./playback-settings.ts";
import { describePlayerError } from "./player-errors.ts";
import { saveVoiceRate, saveVolume, type Volume } from "./preferences.ts";
import { createPreparedTrack } from "./prepared-track.ts";
import { createRecovery, NETWORK, type RefetchSource } from "./recovery.ts";
import { clampPosition, EMPTY_STATE, isAtEnd, isSameTrack, type Media, type PlayerState, type Track } from "./track.ts";

export type { Media, PlayerState, Track } from "./track.ts";

export type Player = ReturnType<typeof createPlayer>;

interface PlayerOptions {
  voiceRate?: number;
  volume?: Volume;
  /** Fetches a track's URL again; without it, a broken source is not recovered. */
  refetchSource?: RefetchSource;
  /** Finds the addresses that elements can load; without it, they load a track's URL itself. */
  media?: Pick<MediaUrls, "get" | "load">;
  /** Loads what the system's media controls show besides the file's name; without it, they show the name only. */
  loadTags?: (track: Track) => Promise<EmbeddedTags>;
}

/** Playback that an outage broke off resumes by itself within this time. */
const MAX_RESUME_DELAY_MS = 2 * 60_000;

/** `requestFrame` runs its callback before the next frame; `createMedia` is called at most three times: for the first video, audio and prepared track. */
export function createPlayer(createMedia: (isVideo: boolean) => Media, requestFrame: (callback: () => void) => void, options: PlayerOptions = {}) {
  let state: PlayerState = {
    ...EMPTY_STATE,
    isSuspended: false,
    refusedPlayCount: 0,
    voiceRate: options.voiceRate ?? 1,
    volume: options.volume ?? { level: 1, muted: false },
  };
  const ended = createEmitter<Track>();
  /** Media element of the current track. */
  let media: Media | null = null;
  const settings = createPlaybackSettings();
  let isTicking = false;
  /** True if the end was reached by seeking, not by playing. */
  let isEndReachedBySeek = false;
  /** True if the current track was cued and has never been played. */
  let isCuedOnly = false;
  /** When the network broke off the playback, in epoch milliseconds; null if it did not. */
  let interruptedAt: number | null = null;
  let requestCount = 0;
  const mediaUrls = options.media ?? { get: (url: string) => url, load: async (url: string) => url };
  let disconnectMediaSession: (() => void) | undefined;
  const { emit: notify, subscribe } = createEmitter();

  function setState(change: Partial<PlayerState>) {
    const next = { ...state, ...change };
    if ((Object.keys(next) as (keyof PlayerState)[]).every((key) => Object.is(next[key], state[key]))) return;
    state = next;
    notify();
  }

  /** Updates the position from the element and jumps to the loop start when playback crosses the loop end. */
  function syncPosition(target: Media) {
    const { track } = state;
    const position = Math.min(target.currentTime, track?.duration || Number.POSITIVE_INFINITY);
    const loopStart = track && state.isPlaying ? loopJumpTarget(settings.get(track.fileId).loop, state.position, position) : null;
    if (loopStart !== null) target.currentTime = loopStart;
    setState({ position: loopStart ?? position });
  }
  /** Follows the element's position on every frame during playback. */
  function tick() {
    isTicking = false;
    if (!media || !state.isPlaying) return;
    // During recovery the element reports the start of its source.
    if (!recovery.isActive()) syncPosition(media);
    scheduleTick();
  }
  function scheduleTick() {
    if (isTicking || !state.isPlaying) return;
    isTicking = true;
    requestFrame(tick);
  }

  const recovery = createRecovery({
    refetchSource: options.refetchSource ?? null,
    getState: () => state,
    load(track, src) {
      state = { ...state, track: { ...track, src } };
      setSource(media!, src, state.position);
      if (state.isPlaying) playMedia(media!);
      else notify();
    },
    fail(reason) {
      interruptedAt = reason === NETWORK && state.isPlaying ? Date.now() : null;
      setState({ isPlaying: false, isBuffering: false, error: describePlayerError(reason) });
    },
  });

  const elements = createMediaElements(createMedia, (created) => {
    applyVolume(created, state.volume);
    const on = (type: string, listener: () => void) => created.addEventListener(type, () => state.track && created === media && listener());
    on("loadedmetadata", () => Number.isFinite(created.duration) && setState({ detectedDuration: created.duration }));
    on("playing", () => {
      setState({ isPlaying: true, isBuffering: false, error: null });
      scheduleTick();
    });
    on("waiting", () => setState({ isBuffering: state.isPlaying }));
    on("seeked", () => !recovery.isActive() && setState({ position: created.currentTime, isBuffering: false }));
    // Hidden tabs get no animation frames.
    on("timeupdate", () => {
      if (!state.isPlaying || recovery.isActive()) return;
      recovery.onProgress(created.currentTime);
      syncPosition(created);
    });
    // Removing a source also fires `pause`; by then another track is current and sets its own state.
    on("pause", () => created.paused && !recovery.isActive() && setState({ isPlaying: false, isBuffering: false }));
    on("ended", () => {
      // The position was moved away from the end after the browser had queued this event.
      if (!created.ended) return;
      const track = state.track!;
      const { loop } = settings.get(track.fileId);
      if (loop?.on && !isEndReachedBySeek && state.position >= loop.from) return player.play(track, loop.from);
      setState({ isPlaying: false, isBuffering: false, position: track.duration || created.currentTime });
      if (isEndReachedBySeek) return;
      ended.emit(track);
    });
    on("error", () => {
      if (!created.error) return;
      if (state.isPlaying) setState({ isBuffering: true });
      recovery.onError(created.error.code, created.src);
    });
    disconnectMediaSession ??= connectMediaSession(player, options.loadTags ?? (async () => ({})), mediaUrls.get);
  });
  const prepared = createPreparedTrack(elements, mediaUrls);
  const sources = createSources(mediaUrls, {
    onFound(target, src) {
      if (media !== target) return;
      setSource(target, src, state.position);
      if (state.isPlaying) playMedia(target);
    },
    onFailed: (target) => media === target && recovery.onError(NETWORK),
  });

  /** Sets the element's source, which starts at `at`; playback begins once its address is known. */
  function setSource(target: Media, src: string, at: number) {
    sources.set(target, src);
    if (state.track) setRate(target, state.track);
    // Before anything is loaded, this sets where playback starts.
    target.currentTime = at;
  }
  /** Makes `track` current at `at` without playing it. */
  function setTrack(track: Track, at: number) {
    interruptedAt = null;
    recovery.reset();
    media?.pause();
    elements.pauseSpare();
    const target = elements.getOrCreate(track.isVideo ?? false);
    if (media && media !== target) unload(media);
    isEndReachedBySeek = false;
    media = target;
    state = { ...state, ...EMPTY_STATE, track, position: at };
    setSource(target, track.src, at);
  }

  const setRate = (target: Media, track: Track) => applyRate(target, settings.rateOf(track, state.voiceRate));

  function beginPlayback(target: Media) {
    isCuedOnly = false;
    setState({ isPlaying: true, isBuffering: true, error: null });
    scheduleTick();
    playMedia(target);
  }
  function playMedia(target: Media) {
    if (sources.isSearching()) return;
    target.play().catch((error: unknown) => {
      // A newer command took over or the source broke; either one updates the state itself.
      if ((error instanceof DOMException && error.name === "AbortError") || recovery.isActive() || target.error) return;
      setState({ isPlaying: false, isBuffering: false });
    });
  }

  const player = {
    state: () => state,
    /** Returns the element's position, which `state` follows only frame by frame. */
    exactPosition: () => media?.currentTime ?? 0,
    /** Returns whether the end was reached by seeking, which does not count as played. */
    isEndReachedBySeek: () => isEndReachedBySeek,
    /** Counts as playing although the track has ended, until another command: during the gap before the next track. */
    holdPlaying: () => setState({ isPlaying: true }),
    /** Calls `listener` after each change. Returns an unsubscribe function. */
    subscribe,
    /** Plays `track` from `atSeconds` or its current position and stops any other track. */
    play(track: Track, atSeconds?: number) {
      if (state.isSuspended) return setState({ refusedPlayCount: state.refusedPlayCount + 1 });
      const current = isSameTrack(state.track, track);
      const from = atSeconds ?? (current && !isAtEnd(state.position, track) ? state.position : 0);
      if (!current || state.error) setTrack(track, clampPosition(from, track));
      else if (Math.abs(from - state.position) > 0.001 || from === 0) player.seek(from);
      beginPlayback(media!);
    },
    /** Starts a request to play what has to load first. The returned function returns false once a later request has started. */
    startRequest() {
      requestCount += 1;
      const request = requestCount;
      return () => request === requestCount;
    },
    /** Makes `track` current without playing it, for pages that open at a position. */
    cue(track: Track, atSeconds: number) {
      if (isSameTrack(state.track, track)) return player.seek(atSeconds);
      setTrack(track, clampPosition(atSeconds, track));
      isCuedOnly = true;
      notify();
    },
    /** Stops a track that was cued and never played. */
    releaseCued: () => isCuedOnly && player.stop(),
    /** Switches the current track to another copy of the same audio, at the same position; playback continues. */
    swap(track: Track) {
      if (!isSameTrack(state.track, track)) return;
      const { isPlaying, position } = state;
      setTrack(track, position);
      if (isPlaying) beginPlayback(media!);
      else notify();
    },
    /** Loads the beginning of an audio track in a second element, so that it can start at once. */
    prepare: prepared.prepare,
    /** Starts the track if it is the prepared one. The element of the track before plays on to its end. Returns false if it is not prepared. */
    startPrepared(track: Track): boolean {
      const next = state.isSuspended || state.track?.isVideo ? null : prepared.take(track);
      if (!next) return false;
      recovery.reset();
      sources.cancelSearch();
      isEndReachedBySeek = false;
      media = next.media;
      state = { ...state, ...EMPTY_STATE, track: next.track, detectedDuration: media.duration || 0 };
      setRate(media, track);
      beginPlayback(media);
      return true;
    },
    pause() {
      elements.pauseSpare();
      media?.pause();
      setState({ isPlaying: false, isBuffering: false });
    },
    toggle(track: Track) {
      if (isSameTrack(state.track, track) && state.isPlaying) player.pause();
      else player.play(track);
    },
    /** To be called after an outage: resumes what it broke off, unless that was so long ago that sound would surprise. */
    recover() {
      recovery.retryNow();
      if (state.error && interruptedAt !== null && Date.now() - interruptedAt < MAX_RESUME_DELAY_MS) player.resume();
      interruptedAt = null;
    },
    /** Resumes the current track. */
    resume() {
      if (state.track) player.play(state.track);
    },
    seek(seconds: number) {
      if (!media || !state.track || !Number.isFinite(seconds)) return;
      const to = clampPosition(seconds, state.track);
      media.currentTime = to;
      isEndReachedBySeek = isAtEnd(to, state.track);
      setState({ position: to });
    },
    /** Pauses playback and refuses to play while suspended. */
    suspend(on: boolean) {
      if (on) player.pause();
      setState({ isSuspended: on });
    },
    /** Sets and persists the playback rate of all voice notes; the pitch is preserved. */
    setVoiceRate(rate: number) {
      setState({ voiceRate: rate });
      if (media && state.track) setRate(media, state.track);
      saveVoiceRate(rate);
    },
    /** Sets and persists the volume of all media elements. */
    setVolume(volume: Volume) {
      setState({ volume });
      for (const target of elements.all()) applyVolume(target, volume);
      saveVolume(volume);
    },
    settingsFor: settings.get,
    updateSettings(fileId: number, change: Partial<PlaybackSettings>) {
      if (!settings.update(fileId, change)) return;
      if (media && state.track?.fileId === fileId) setRate(media, state.track);
      notify();
    },
    /** Returns the element of the current video, or null if the current track is not a video. */
    videoElement: () => (state.track?.isVideo ? media : null),
    /** Calls `listener` when a track has played to its end. Returns an unsubscribe function. */
    onEnded: ended.subscribe,
    /** Stops playback for good. */
    dispose() {
      player.stop();
      recovery.dispose();
      disconnectMediaSession?.();
    },
    /** Stops playback and removes the current track. */
    stop() {
      if (!media) return;
      interruptedAt = null;
      recovery.reset();
      state = { ...state, ...EMPTY_STATE };
      media.pause();
      elements.pauseSpare();
      sources.cancelSearch();
      unload(media);
      notify();
    },
  };
  return player;
}
