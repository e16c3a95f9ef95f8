/** How far each topic has been applied: the `seq` from which the live channel is asked to go on. */
import type { QueryClient } from "@tanstack/react-query";

export interface Cursors {
  get(topic: string): number | undefined;
  /** What `applyEvents` works on; never changed in place. */
  all(): ReadonlyMap<string, number>;
  replace(cursors: ReadonlyMap<string, number>): void;
  set(topic: string, seq: number): void;
  /**
   * A page as new as `seq` came in. If events after it were applied before the page was there, they have to come again:
   * the cursor moves back. It never moves forward here, since other cached records may wait for what lies between.
   */
  recordSnapshot(topic: string, seq: number | undefined): void;
  clear(): void;
  /** Called when a topic got its first cursor or has to go back. */
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

const perClient = new WeakMap<QueryClient, Cursors>();

/** The cursors that belong to a query cache: they are true only for what it holds. */
export function getCursors(client: QueryClient): Cursors {
  let cursors = perClient.get(client);
  if (!cursors) perClient.set(client, (cursors = createCursors()));
  return cursors;
}
