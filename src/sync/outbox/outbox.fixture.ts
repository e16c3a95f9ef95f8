/** In-memory storage and lock that the tabs of one browser share, for tests. */
import type { OutboxDeps, OutboxEntry } from "./outbox-types.ts";

export function createSharedStorage() {
  const entries = new Map<string, OutboxEntry>();
  let queue: Promise<void> = Promise.resolve();
  let epoch = 0;
  /** A crashed page never receives a result again. */
  const guarded = async <T>(pageEpoch: number, run: () => T): Promise<T> => {
    await Promise.resolve();
    if (pageEpoch !== epoch) return new Promise<never>(() => undefined);
    if (storage.forbidden) throw new Error("SecurityError");
    return run();
  };
  const write = <T>(pageEpoch: number, run: () => T): Promise<T> =>
    guarded(pageEpoch, () => {
      if (storage.full) throw new Error("QuotaExceededError");
      return run();
    });
  const storage = {
    /** Writes fail, reads succeed. */
    full: false,
    /** Reads and writes fail. */
    forbidden: false,
    /** Milliseconds between a stored change and its confirmation. */
    writeDelayMs: 0,
    entries,
    /** Stops everything that is running for good, and frees the lock. */
    crash() {
      epoch += 1;
      queue = Promise.resolve();
    },
    /** Returns the storage as one page sees it. */
    page(): Pick<OutboxDeps, "openStore" | "runExclusive"> {
      const pageEpoch = epoch;
      return {
        openStore: (accountId) => ({
          load: () => guarded(pageEpoch, () => structuredClone([...entries.values()].filter((entry) => entry.accountId === accountId))),
          put: (entry) => write(pageEpoch, () => void entries.set(entry.clientId, structuredClone(entry))),
          async update(clientId, change) {
            const changed = await write(pageEpoch, () => {
              const entry = entries.get(clientId);
              const after = entry && change(entry);
              if (after === undefined) return false;
              if (after) entries.set(clientId, structuredClone(after));
              else entries.delete(clientId);
              return true;
            });
            if (storage.writeDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, storage.writeDelayMs));
            return changed;
          },
        }),
        runExclusive(_accountId, run) {
          if (pageEpoch !== epoch) return new Promise<never>(() => undefined);
          const result = queue.then(() => (pageEpoch === epoch ? run() : new Promise<never>(() => undefined)));
          queue = result.catch(() => undefined);
          return result;
        },
      };
    },
  };
  return storage;
}
