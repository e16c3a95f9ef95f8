/** What tabs of one browser share, in memory: their kept entries and the turn. */
import type { OutboxEntry } from "./outbox.ts";
import type { OutboxDeps } from "./sending.ts";

export function keptTogether() {
  const entries = new Map<string, OutboxEntry>();
  let turn: Promise<void> = Promise.resolve();
  let epoch = 0;
  /** A page that has crashed never hears of anything again. */
  const guarded = async <T>(of: number, run: () => T): Promise<T> => {
    await Promise.resolve();
    if (of !== epoch) return new Promise<never>(() => undefined);
    if (kept.forbidden) throw new Error("SecurityError");
    return run();
  };
  const write = <T>(of: number, run: () => T): Promise<T> =>
    guarded(of, () => {
      if (kept.full) throw new Error("QuotaExceededError");
      return run();
    });
  const kept = {
    /** Nothing can be written; what is there can be read. */
    full: false,
    /** Nothing can be written or read. */
    forbidden: false,
    /** How long after a change stands in the store it is answered. */
    lateMs: 0,
    entries,
    /** Everything that runs stops for ever, and the turn is free. */
    crash() {
      epoch += 1;
      turn = Promise.resolve();
    },
    /** What one page gets of it. */
    page(): Pick<OutboxDeps, "storeOf" | "alone"> {
      const of = epoch;
      return {
        storeOf: (accountId) => ({
          load: () => guarded(of, () => structuredClone([...entries.values()].filter((entry) => entry.accountId === accountId))),
          put: (entry) => write(of, () => void entries.set(entry.clientId, structuredClone(entry))),
          async update(clientId, change) {
            const changed = await write(of, () => {
              const entry = entries.get(clientId);
              const after = entry && change(entry);
              if (after === undefined) return false;
              if (after) entries.set(clientId, structuredClone(after));
              else entries.delete(clientId);
              return true;
            });
            if (kept.lateMs > 0) await new Promise((resolve) => setTimeout(resolve, kept.lateMs));
            return changed;
          },
        }),
        alone(_accountId, run) {
          if (of !== epoch) return new Promise<never>(() => undefined);
          const mine = turn.then(() => (of === epoch ? run() : new Promise<never>(() => undefined)));
          turn = mine.catch(() => undefined);
          return mine;
        },
      };
    },
  };
  return kept;
}
