/** Tracks the last applied `seq` of each topic, from which the live channel resumes. */
import { createEmitter } from "../lib/store.ts";

/** The cursors of a query cache, which are valid only for its content. */
export type Cursors = ReturnType<typeof createCursors>;

export function createCursors() {
  let cursors: ReadonlyMap<string, number> = new Map();
  const moved = createEmitter<string>();
  const set = (topic: string, seq: number) => {
    cursors = new Map(cursors).set(topic, seq);
  };
  return {
    get: (topic: string) => cursors.get(topic),
    /** Returns the map that `applyEvents` works on, which is never mutated. */
    all: () => cursors,
    replace: (next: ReadonlyMap<string, number>) => {
      cursors = next;
    },
    set,
    /**
     * Records the `seq` of a loaded page. If later events were applied before the page arrived, the cursor moves back, so that they are replayed. It
     * never moves an existing cursor forward, because other cached records may need the events in between.
     */
    recordSnapshot(topic: string, seq: number | undefined) {
      const current = cursors.get(topic);
      if (seq === undefined || (current !== undefined && current <= seq)) return;
      set(topic, seq);
      moved.emit(topic);
    },
    clear: () => {
      cursors = new Map();
    },
    /** Calls `listener` when a topic gets its first cursor or moves back; returns the unsubscribe function. */
    onMoved: moved.subscribe,
  };
}
