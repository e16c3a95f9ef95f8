/** Tracks the last applied `seq` of each topic, from which the live channel resumes. */
import { perClient } from "./query-client.ts";

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
  const listeners = new Set<(topic: string) => void>();
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
      for (const listener of listeners) listener(topic);
    },
    clear: () => {
      cursors = new Map();
    },
    onMoved(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns the cursors of a query cache, which are valid only for its content. */
export const getCursors = perClient(createCursors);
