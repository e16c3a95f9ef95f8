/** How the page of one sound stands to the one player: its position and controls, also while another sound is the current one. */
import type { createPlayer, Track } from "./player.ts";

export interface DeckState {
  playing: boolean;
  waiting: boolean;
  /** Seconds; where it would begin, while another sound is the current one. */
  position: number;
  fault: string | null;
}

export type Deck = ReturnType<typeof createDeck>;

/** Stands where the player stands with this track, else at the beginning. */
export function createDeck(player: ReturnType<typeof createPlayer>, track: Track) {
  let own: DeckState = { playing: false, waiting: false, position: 0, fault: null };
  const listeners = new Set<() => void>();
  const isCurrent = () => {
    const { track: current } = player.state();
    return current?.fileId === track.fileId && current.version === track.version;
  };
  const clamp = (seconds: number) => Math.max(0, track.duration > 0 ? Math.min(seconds, track.duration) : seconds);

  function follow() {
    const { playing, waiting, position, fault } = player.state();
    // When another sound takes over, this one keeps its place.
    const next = isCurrent() ? { playing, waiting, position, fault } : { ...own, playing: false, waiting: false };
    if ((Object.keys(next) as (keyof DeckState)[]).every((key) => next[key] === own[key])) return;
    own = next;
    for (const listener of listeners) listener();
  }

  follow();
  let stop: (() => void) | null = null;

  const deck = {
    duration: track.duration,
    state: () => own,
    /** Calls back after each change. Returns the way to stop. */
    subscribe(listener: () => void) {
      listeners.add(listener);
      if (!stop) {
        stop = player.subscribe(follow);
        // What changed while nobody listened.
        follow();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = null;
      };
    },
    play: () => player.play(track, isCurrent() ? undefined : own.position),
    pause: () => isCurrent() && player.pause(),
    toggle() {
      if (own.playing) deck.pause();
      else deck.play();
    },
    seek(seconds: number) {
      if (!Number.isFinite(seconds)) return;
      if (isCurrent()) return player.seek(seconds);
      own = { ...own, position: clamp(seconds) };
      for (const listener of listeners) listener();
    },
  };
  return deck;
}
