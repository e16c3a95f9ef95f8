/** Plays tracks one after another: prepares the next one while the current one plays, and starts it at its end without a gap, or after the queue's gap. */
import { createStore } from "../../lib/store.ts";
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
  /** True during the gap after a track. */
  isWaiting: boolean;
}

type QueuePlayer = Pick<
  Player,
  "state" | "subscribe" | "onEnded" | "play" | "cue" | "seek" | "pause" | "prepare" | "startPrepared" | "exactPosition" | "settingsFor"
>;

interface Timers {
  set(callback: () => void, ms: number): unknown;
  clear(timer: unknown): void;
}

/** Called as functions, because browsers refuse timers that are called as methods of another object. */
const BROWSER_TIMERS: Timers = { set: (callback, ms) => setTimeout(callback, ms), clear: (timer) => clearTimeout(timer as number) };
const EMPTY: QueueState = { queue: null, current: null, index: -1, isWaiting: false };
/** Seconds before the end at which the next track begins to load: enough for a slow line, few enough that skipping loads little in vain. */
const PREPARE_SECONDS = 20;
/** Seconds before the end at which the start of the next track is scheduled. */
const SCHEDULE_SECONDS = 0.5;
/** Milliseconds that a timer may be late; the rest of the wait is measured again. */
const TIMER_SLACK_MS = 12;
/** Milliseconds between `play()` on a loaded element and its first sample, measured in Chromium. */
const START_LATENCY_MS = 5;
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
    store.set({ ...get(), current: entry, index, isWaiting: false });
    try {
      start(entry);
    } finally {
      isSwitching = false;
    }
  }
  const playAt = (index: number, atSeconds = 0) => switchTo(index, ({ track }) => player.play(track, atSeconds));
  const startNext = () => switchTo(get().index + 1, ({ track }) => player.startPrepared(track) || player.play(track, 0));
  function clear() {
    clearTimer();
    store.set(EMPTY);
  }

  /** Returns the milliseconds until the current track ends at its rate. */
  function remainingMs(track: Track): number {
    const duration = player.state().detectedDuration || track.duration;
    return ((duration - player.exactPosition()) / player.settingsFor(track.fileId).rate) * 1_000;
  }
  /** Starts the next track when the current one ends. A timer that fires early waits for the rest. */
  function startAtEnd(track: Track) {
    timer = null;
    if (!player.state().isPlaying) return;
    const wait = remainingMs(track) - START_LATENCY_MS;
    if (wait > 1) timer = timers.set(() => startAtEnd(track), Math.max(0, wait - TIMER_SLACK_MS));
    else startNext();
  }
  function followPlayer() {
    const { queue, current, index, isWaiting } = get();
    if (!queue || !current || isSwitching) return;
    const { track, isPlaying } = player.state();
    if (!track || !isSameTrack(track, current.track)) return clear();
    const next = queue.entries[index + 1];
    if (isWaiting && !isPlaying) return;
    if (isWaiting) {
      // The track that ended was started again.
      store.set({ ...get(), isWaiting: false });
      clearTimer();
    }
    if (!isPlaying || !next) return clearTimer();
    const remaining = remainingMs(track);
    if (remaining < PREPARE_SECONDS * 1_000) player.prepare(next.track);
    const joins = queue.gapMs === 0 && remaining < SCHEDULE_SECONDS * 1_000 && !player.settingsFor(track.fileId).loop?.on;
    if (!joins) clearTimer();
    else if (timer === null) startAtEnd(track);
  }
  const unsubscribe = player.subscribe(followPlayer);
  const stopListening = player.onEnded(() => {
    const { queue, index } = get();
    if (!queue || !entryAt(index + 1)) return;
    if (queue.gapMs === 0) return startNext();
    store.set({ ...get(), isWaiting: true });
    clearTimer();
    timer = timers.set(startNext, queue.gapMs);
  });

  return {
    get,
    subscribe: store.subscribe,
    /** Plays a queue from one of its entries on. */
    play(queue: PlayQueue, index: number, atSeconds = 0) {
      clearTimer();
      store.set({ ...EMPTY, queue });
      playAt(index, atSeconds);
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
      followPlayer();
    },
    next: () => playAt(get().index + 1),
    /** Plays the track before, or restarts the current one if it has played for a while. */
    previous() {
      const { index } = get();
      if (index > 0 && player.exactPosition() <= RESTART_SECONDS) playAt(index - 1);
      else player.seek(0);
    },
    /** Ends a gap without playing: the next track is current and paused. */
    pauseGap: () => get().isWaiting && switchTo(get().index + 1, ({ track }) => player.cue(track, 0)),
    dispose() {
      clear();
      unsubscribe();
      stopListening();
    },
  };
}

/** Returns whether there is a track after the current one. */
export const hasNext = ({ queue, index }: QueueState): boolean => queue !== null && index + 1 < queue.entries.length;
