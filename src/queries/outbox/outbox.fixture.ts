/** What tabs of one browser share, in memory: their kept entries and the turn. */
import type { OutboxEntry } from "./outbox.ts";
import type { OutboxDeps } from "./sending.ts";

export function createSharedStorage() {
  const entries = new Map<string, OutboxEntry>();
  let queue: Promise<void> = Promise.resolve();
  let epoch = 0;
  /** A page that has crashed never hears of anything again. */
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
    /** Nothing can be written; what is there can be read. */
    full: false,
    /** Nothing can be written or read. */
    forbidden: false,
    /** How long after a change stands in the store it is answered. */
    writeDelayMs: 0,
    entries,
    /** Everything that runs stops for ever, and the turn is free. */
    crash() {
      epoch += 1;
      queue = Promise.resolve();
    },
    /** What one page gets of it. */
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
