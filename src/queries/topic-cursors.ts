/** Tracks the last applied `seq` of each topic, from which the live channel resumes. */
import { createEmitter } from "../lib/store.ts";

/** The cursors of a query cache, which are valid only for its content. */
export interface Cursors {
  get(topic: string): number | undefined;
  /** Returns the map that `applyEvents` works on, which is never mutated. */
  all(): ReadonlyMap<string, number>;
  replace(cursors: ReadonlyMap<string, number>): void;
  set(topic: string, seq: number): void;
  /**
   * Records the `seq` of a loaded page. If later events were applied before the page arrived, the cursor moves back, so that they are replayed. It
   * never moves an existing cursor forward, because other cached records may need the events in between.
   */
  recordSnapshot(topic: string, seq: number | undefined): void;
  clear(): void;
  /** Calls `listener` when a topic gets its first cursor or moves back; returns the unsubscribe function. */
  onMoved(listener: (topic: string) => void): () => void;
}

export function createCursors(): Cursors {
  let cursors: ReadonlyMap<string, number> = new Map();
  const moved = createEmitter<string>();
  const set = (topic: string, seq: number) => {
    cursors = new Map(cursors).set(topic, seq);
  };
  return {
    get: (topic) => cursors.get(topic),
    all: () => cursors,
    replace: (next) => {
      cursors = next;
    },
    set,
    recordSnapshot(topic, seq) {
      const current = cursors.get(topic);
      if (seq === undefined || (current !== undefined && current <= seq)) return;
      set(topic, seq);
      moved.emit(topic);
    },
    clear: () => {
      cursors = new Map();
    },
    onMoved: moved.subscribe,
  };
}
