/** How the page of one sound stands to the one player: its position and controls, also while another sound is the current one. */
import { draggedLoop, isSameLoop, loopBetween, loopFrom, loopTo, toggledLoop, type Loop } from "./loop.ts";
import { isSameSound, type createPlayer } from "./player.ts";
import { isAtEnd, type Track } from "./track.ts";

export interface DeckState {
  playing: boolean;
  waiting: boolean;
  /** Seconds; where it would begin, while another sound is the current one. */
  position: number;
  fault: string | null;
  /** The player holds this sound. */
  current: boolean;
  rate: number;
  loop: Loop | null;
}

export type Deck = ReturnType<typeof createDeck>;

export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 2] as const;

/** Stands where the player stands with this track, else at the beginning. */
export function createDeck(player: ReturnType<typeof createPlayer>, first: Track) {
  let track = first;
  const { fileId } = first;
  let own: DeckState = { playing: false, waiting: false, position: 0, fault: null, current: false, ...player.listening(fileId) };
  const listeners = new Set<() => void>();
  const isCurrent = () => isSameSound(player.state().track, track);
  const clamp = (seconds: number) => Math.max(0, track.duration > 0 ? Math.min(seconds, track.duration) : seconds);

  function put(next: DeckState) {
    if ((Object.keys(next) as (keyof DeckState)[]).every((key) => (key === "loop" ? isSameLoop(next.loop, own.loop) : next[key] === own[key]))) return;
    own = next;
    for (const listener of listeners) listener();
  }
  function follow() {
    const { playing, waiting, position, fault } = player.state();
    const current = isCurrent();
    // When another sound takes over, this one keeps its place.
    put({ ...own, ...(current ? { playing, waiting, position, fault } : { playing: false, waiting: false }), current, ...player.listening(fileId) });
  }

  follow();
  let stop: (() => void) | null = null;
  const setLoop = (loop: Loop | null) => player.setListening(fileId, { loop });

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
    play: () => player.play(track, isCurrent() ? undefined : isAtEnd(own.position, track) ? 0 : own.position),
    pause: () => isCurrent() && player.pause(),
    toggle() {
      if (own.playing) deck.pause();
      else deck.play();
    },
    seek(seconds: number) {
      if (!Number.isFinite(seconds)) return;
      if (isCurrent()) return player.seek(seconds);
      put({ ...own, position: clamp(seconds) });
    },
    /** Shows its picture at its place, silent; only where nothing else would be disturbed: what is paused keeps its place too. */
    cue() {
      const { track: held, playing } = player.state();
      if (held === null || (held.fileId === fileId && !playing && !isCurrent())) player.cue(track, own.position);
    },
    /** Its page is left: what was only shown is held no longer. */
    leave: () => isCurrent() && player.dropUnheard(),
    /** The same sound by another address, or another copy of it: what plays goes on. */
    update(next: Track) {
      const other = (next.original ?? false) !== (track.original ?? false);
      track = next;
      if (other && (player.state().track?.original ?? false) !== (next.original ?? false)) player.swap(next);
    },
    setRate: (rate: number) => player.setListening(fileId, { rate }),
    setLoop,
    loopBetween: (from: number, to: number) => setLoop(loopBetween(from, to, track.duration)),
    loopFrom: (at: number) => setLoop(loopFrom(own.loop, at, track.duration)),
    loopTo: (at: number) => setLoop(loopTo(own.loop, at, track.duration)),
    toggleLoop: () => setLoop(toggledLoop(own.loop, track.duration)),
    dragLoop: (end: "from" | "to", at: number) => own.loop && setLoop(draggedLoop(own.loop, end, at, track.duration)),
  };
  return deck;
}
