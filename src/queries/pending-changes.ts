/**
 * Pending changes of records that the service has not confirmed. They are applied over the loaded records instead of into them, so that the
 * order of responses and events does not matter and undoing a change only removes it.
 */

import { createStore } from "../lib/store.ts";

export interface PendingChanges<Change> {
  /** Shows a change until the returned function is called. */
  add(change: Change): () => void;
  /** Runs after all earlier calls for the same record, so that the last change wins. */
  runInOrder<T>(recordId: number, run: () => Promise<T>): Promise<T>;
  /** Returns the same array until something changes. */
  get(): readonly Change[];
  subscribe(listener: () => void): () => void;
}

export function createPendingChanges<Change>(): PendingChanges<Change> {
  const { get, set, subscribe } = createStore<readonly Change[]>([]);
  const lastRuns = new Map<number, Promise<unknown>>();
  return {
    add(change) {
      set([...get(), change]);
      return () => set(get().filter((entry) => entry !== change));
    },
    async runInOrder(recordId, run) {
      const previous = lastRuns.get(recordId) ?? Promise.resolve();
      const current = previous.then(run, run);
      lastRuns.set(recordId, current);
      try {
        return await current;
      } finally {
        if (lastRuns.get(recordId) === current) lastRuns.delete(recordId);
      }
    },
    get,
    subscribe,
  };
}

interface ChangeRequest<Change, Entity> {
  recordId: number;
  change: Change;
  send(): Promise<Entity>;
  /** Puts the response into the cache. */
  upsert(record: Entity): void;
}

/**
 * Shows a change at once; reverts it and throws when the service rejects it. The overlay is removed after every response, so `upsert` must put the
 * change into the cache: a record only replaces the cached one if the service has raised its `revision`, and a member that depends on the reader, which
 * does not raise it, must be patched into the cached record.
 */
export async function performChange<Change, Entity>(changes: PendingChanges<Change>, request: ChangeRequest<Change, Entity>): Promise<Entity> {
  const undo = changes.add(request.change);
  try {
    const record = await changes.runInOrder(request.recordId, () => request.send());
    request.upsert(record);
    return record;
  } finally {
    undo();
  }
}
