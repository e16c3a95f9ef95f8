/** Plays tracks one after another: prepares the next one while the current one plays, and starts it at its end without a gap, or after the queue's gap. */
import { createEmitter, createStore } from "../../lib/store.ts";
import type { Player } from "./player.ts";
import { isSameTrack, type Track } from "./track.ts";

/** A track at a place in a queue; the same file may be at several places. */
export interface QueueEntry {
  id: number;
  track: Track;
}

export interface PlayQueue {
  /** The same for every version of the queue, such as "playlist:12". */
  key: string;
  title: string;
  /** Path of the page that shows the queue. */
  path: string;
  gapMs: number;
  entries: readonly QueueEntry[];
}

export interface QueueState {
  queue: PlayQueue | null;
  /** The entry that plays, as it was when it started. */
  current: QueueEntry | null;
  /** Its place; after it was removed, the place before the entry that follows. */
  index: number;
  /** True during the gap after a track, which counts as playing. */
  isWaiting: boolean;
  /** True after the last track has ended. */
  isFinished: boolean;
}

type QueuePlayer = Omit<Player, "swap" | "dispose">;

interface Timers {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  set(callback: () => void, ms: number): unknown;
  clear(timer: unknown): void;
}

/** Called as functions, because browsers refuse timers that are called as methods of another object. */
const BROWSER_TIMERS: Timers = {
  now: () => performance.now(),
  set: (callback, ms) => setTimeout(callback, ms),
  clear: (timer) => clearTimeout(timer as number),
};
const EMPTY: QueueState = { queue: null, current: null, index: -1, isWaiting: false, isFinished: false };
/** Seconds before the end at which the next track begins to load: enough for a slow line, few enough that skipping loads little in vain. */
const PREPARE_SECONDS = 20;
/** Seconds before the end at which the start of the next track is scheduled. */
const SCHEDULE_SECONDS = 0.5;
/** Milliseconds that a timer may be late; the rest of the wait is measured again. */
const TIMER_SLACK_MS = 12;
/** Milliseconds between `play()` on a loaded element and its first sample, measured in Chromium. */
const START_LATENCY_MS = 5;
/** Milliseconds without progress after which a track that is about to end counts as ended: browsers may stop right before the end without an event. */
const STALLED_END_MS = 3_000;
/** Milliseconds between two looks at a track that has made no progress for longer than that. */
const STALL_CHECK_MS = 200;
/** "Previous" restarts a track that has played for longer than this. */
const RESTART_SECONDS = 3;

export type Queue = ReturnType<typeof createQueue>;

export function createQueue(player: QueuePlayer, timers: Timers = BROWSER_TIMERS) {
  const store = createStore<QueueState>(EMPTY);
  const { get } = store;
  /** The timer of the next start: of the gap, or of the end of the current track. */
  let timer: unknown = null;
  /** True while this queue changes the player's track. */
  let isSwitching = false;

  /** True if the queue played at the last change of the player. */
  let wasPlaying = false;
  /** Tracks in a row that could not be played. */
  let failureCount = 0;
  const failed = createEmitter<Track>();

  const entryAt = (index: number): QueueEntry | undefined => get().queue?.entries[index];
  function clearTimer() {
    if (timer !== null) timers.clear(timer);
    timer = null;
  }
  /** Makes an entry current and starts it by `start`. */
  function switchTo(index: number, start: (entry: QueueEntry) => void): void {
    const entry = entryAt(index);
    if (!entry) return;
    clearTimer();
    isSwitching = true;
    store.set({ ...get(), current: entry, index, isWaiting: false, isFinished: false });
    try {
      start(entry);
    } finally {
      isSwitching = false;
      wasPlaying = player.state().isPlaying;
    }
  }
  const playAt = (index: number, atSeconds = 0) => switchTo(index, ({ track }) => player.play(track, atSeconds));
  const startNext = () => switchTo(get().index + 1, ({ track }) => player.startPrepared(track) || player.play(track, 0));
  function clear() {
    clearTimer();
    store.set(EMPTY);
  }
  function waitForGap(gapMs: number) {
    clearTimer();
    store.set({ ...get(), isWaiting: true });
    timer = timers.set(startNext, gapMs);
  }
  /** Goes on after a track that cannot be played, until every track has failed. */
  function skipFailed(track: Track) {
    failed.emit(track);
    failureCount += 1;
    if (failureCount < (get().queue?.entries.length ?? 0)) startNext();
  }

  /** Returns the milliseconds until the current track ends at its rate. */
  function remainingMs(track: Track): number {
    const duration = player.state().detectedDuration || track.duration;
    return ((duration - player.exactPosition()) / player.settingsFor(track.fileId).rate) * 1_000;
  }
  /**
   * Starts the next track when the current one ends. A timer that fires early waits for the rest. `seen`: the position at the last timer, and since when
   * (milliseconds of the monotonic clock) it is the same.
   */
  function startAtEnd(track: Track, seen = { position: -1, since: 0 }) {
    timer = null;
    if (!player.state().isPlaying) return;
    const [position, now] = [player.exactPosition(), timers.now()];
    const since = position === seen.position ? seen.since : now;
    const wait = remainingMs(track) - START_LATENCY_MS;
    if (wait <= 1) return startNext();
    if (now - since >= STALLED_END_MS) {
      // Otherwise this track could still sound later, and its element would not load the next but one.
      player.pause();
      return startNext();
    }
    timer = timers.set(() => startAtEnd(track, { position, since }), Math.max(now - since > STALL_CHECK_MS ? STALL_CHECK_MS : 0, wait - TIMER_SLACK_MS));
  }
  /** Prepares the next track, and schedules its start near the end of the current one. */
  function followPlayback(track: Track, { gapMs, entries }: PlayQueue) {
    const next = entries[get().index + 1];
    if (!next) return clearTimer();
    const remaining = remainingMs(track);
    if (remaining < PREPARE_SECONDS * 1_000) player.prepare(next.track);
    const joins = gapMs === 0 && remaining < SCHEDULE_SECONDS * 1_000 && !player.settingsFor(track.fileId).loop?.on && !player.isEndReachedBySeek();
    if (!joins) clearTimer();
    else if (timer === null) startAtEnd(track);
  }
  function followPlayer() {
    const { queue, current, isWaiting, isFinished } = get();
    if (!queue || !current || isSwitching) return;
    const { track, isPlaying, error, position } = player.state();
    if (!track || !isSameTrack(track, current.track)) return clear();
    const hasStopped = wasPlaying && !isPlaying;
    wasPlaying = isPlaying;
    if (error) {
      if (hasStopped) skipFailed(track);
      return;
    }
    if (isWaiting) {
      // Paused in the gap, by whatever pauses the player; or the track that ended was started again.
      if (!isPlaying) switchTo(get().index + 1, ({ track: next }) => player.cue(next, 0));
      else if (position < track.duration - 1) {
        store.set({ ...get(), isWaiting: false });
        clearTimer();
      }
      return;
    }
    if (!isPlaying) return clearTimer();
    if (position > 1) failureCount = 0;
    if (isFinished) store.set({ ...get(), isFinished: false });
    followPlayback(track, queue);
  }
  const unsubscribe = player.subscribe(followPlayer);
  const stopListening = player.onEnded(() => {
    const { queue, index } = get();
    if (!queue) return;
    if (!entryAt(index + 1)) return store.set({ ...get(), isFinished: true });
    if (queue.gapMs === 0) return startNext();
    waitForGap(queue.gapMs);
    player.holdPlaying();
  });

  return {
    get,
    subscribe: store.subscribe,
    /** Calls `listener` with each track that could not be played. Returns an unsubscribe function. */
    onFailed: failed.subscribe,
    /** Plays a queue from one of its entries on. */
    play(queue: PlayQueue, index: number, atSeconds = 0) {
      clearTimer();
      failureCount = 0;
      store.set({ ...EMPTY, queue });
      playAt(index, atSeconds);
    },
    /** Pauses and resumes; after its end, the queue starts again from the beginning. */
    toggle() {
      if (player.state().isPlaying) player.pause();
      else if (get().isFinished) playAt(0);
      else player.resume();
    },
    /** Replaces the queue by its newer version; the current track plays on. Queues with another key change nothing. */
    update(queue: PlayQueue) {
      const { queue: before, current, index, isWaiting } = get();
      if (before?.key !== queue.key || !current) return;
      const at = queue.entries.findIndex(({ id }) => id === current.id);
      const remaining = new Set(queue.entries.map(({ id }) => id));
      const keptBefore = before.entries.slice(0, index + 1).filter(({ id }) => remaining.has(id)).length;
      if (!isWaiting) clearTimer();
      store.set({ ...get(), queue, index: at === -1 ? keptBefore - 1 : at });
      if (!isWaiting) followPlayer();
      else if (!entryAt(get().index + 1)) {
        clearTimer();
        store.set({ ...get(), isWaiting: false, isFinished: true });
        player.pause();
      } else if (queue.gapMs !== before.gapMs) waitForGap(queue.gapMs);
    },
    next: () => playAt(get().index + 1),
    /** Plays the track before, or restarts the current one if it has played for a while or has just ended. */
    previous() {
      const { index, isWaiting } = get();
      if (isWaiting) playAt(index);
      else if (index > 0 && player.exactPosition() <= RESTART_SECONDS) playAt(index - 1);
      else player.seek(0);
    },
    dispose() {
      clear();
      unsubscribe();
      stopListening();
    },
  };
}

/** Returns whether there is a track after the current one. */
export const hasNext = ({ queue, index }: QueueState): boolean => queue !== null && index + 1 < queue.entries.length;
