/**
 * Pending changes of records that the service has not confirmed. They are applied over the loaded records instead of into them, so that the
 * order of responses and events does not matter and undoing a change only removes it.
 */
import { createStore } from "../lib/store.ts";

interface RecordChange {
  /** The record's id, or what identifies it among records of several kinds. */
  recordId: number | string;
}

export function createPendingChanges<Change extends RecordChange>() {
  const { get, set, subscribe } = createStore<readonly Change[]>([]);
  const lastRuns = new Map<number | string, Promise<unknown>>();

  /** Runs after all earlier calls for the same record, so that the last change wins. */
  async function runInOrder<T>(recordId: number | string, run: () => Promise<T>): Promise<T> {
    const previous = lastRuns.get(recordId) ?? Promise.resolve();
    const current = previous.then(run, run);
    lastRuns.set(recordId, current);
    try {
      return await current;
    } finally {
      if (lastRuns.get(recordId) === current) lastRuns.delete(recordId);
    }
  }

  return {
    get,
    subscribe,
    /**
     * Shows a change at once; reverts it and throws when the service rejects it. The overlay is removed after every response, so `upsert` must put the
     * change into the cache: a record only replaces the cached one if the service has raised its `revision`, and a member that depends on the reader,
     * which does not raise it, must be patched into the cached record.
     */
    async perform<Entity>(change: Change, send: () => Promise<Entity>, upsert: (record: Entity) => void): Promise<Entity> {
      set([...get(), change]);
      try {
        const record = await runInOrder(change.recordId, send);
        upsert(record);
        return record;
      } finally {
        set(get().filter((entry) => entry !== change));
      }
    },
  };
}

/** Returns the records with their pending changes applied; the same array when nothing differs. */
export function applyChanges<Entity extends { id: number }, Change extends RecordChange>(
  records: readonly Entity[],
  changes: readonly Change[],
  apply: (record: Entity, change: Change) => Entity,
): readonly Entity[] {
  if (changes.length === 0) return records;
  const changesById = Map.groupBy(changes, ({ recordId }) => recordId);
  const result = records.map((record) => changesById.get(record.id)?.reduce(apply, record) ?? record);
  return result.some((record, index) => record !== records[index]) ? result : records;
}
