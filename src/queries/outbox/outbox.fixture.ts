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
  const keep = (entry: OutboxEntry) => {
    if (kept.cramped) throw new Error("QuotaExceededError");
    entries.set(entry.clientId, structuredClone(entry));
  };
  const kept = {
    /** Nothing works any more. */
    full: false,
    /** Nothing new can be kept; what is there can be read and deleted. */
    cramped: false,
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
          put: (entry) => guarded(of, () => keep(entry)),
          update: (clientId, change) =>
            guarded(of, () => {
              const entry = entries.get(clientId);
              const after = entry && change(entry);
              if (after === undefined) return false;
              if (after) keep(after);
              else entries.delete(clientId);
              return true;
            }),
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
