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
    if (kept.full) throw new Error("QuotaExceededError");
    return run();
  };
  const kept = {
    full: false,
    entries,
    /** Everything that runs stops for ever, and the turn is free. */
    crash() {
      epoch += 1;
      turn = Promise.resolve();
    },
    storeOf(accountId: number): ReturnType<OutboxDeps["storeOf"]> {
      const of = epoch;
      return {
        load: () => guarded(of, () => structuredClone([...entries.values()].filter((entry) => entry.accountId === accountId))),
        put: (entry) => guarded(of, () => void entries.set(entry.clientId, structuredClone(entry))),
        update: (clientId, change) =>
          guarded(of, () => {
            const entry = entries.get(clientId);
            const after = entry && change(entry);
            if (after === undefined) return false;
            if (after) entries.set(clientId, structuredClone(after));
            else entries.delete(clientId);
            return true;
          }),
      };
    },
    alone(_accountId: number, run: () => Promise<void>): Promise<void> {
      const of = epoch;
      const mine = turn.then(() => (of === epoch ? run() : new Promise<never>(() => undefined)));
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
  return kept;
}
