/** What one tab shows of the outbox: what all tabs keep together, and in memory what the browser could not keep. */
import type { OutboxEntry } from "./outbox.ts";
import type { OutboxDeps, OutboxStore } from "./sending.ts";

type Change = Parameters<OutboxStore["update"]>[1];

export interface Shelf {
  owner(): number | null;
  /** The same array until something changes. */
  entries(): readonly OutboxEntry[];
  find(clientId: string): OutboxEntry | undefined;
  /** From now on it holds what this account has written. */
  takeOver(accountId: number): void;
  /** Shows it at once and has it kept. */
  put(entry: OutboxEntry): void;
  /** Resolves once it is kept, or will never be. */
  stored(clientId: string): Promise<void>;
  allStored(): Promise<unknown>;
  /** In the store and here; where the store fails, here alone. Answers whether something was changed. */
  alter(clientId: string, change: Change): Promise<boolean>;
  /** Takes over what is kept: other tabs write too. Answers what was shown before. */
  refresh(): Promise<readonly OutboxEntry[]>;
  /** Shows it no more. */
  drop(clientId: string): void;
  /** Seen from the next change on. */
  delay(clientId: string, delayed: boolean): void;
  onChange(listener: () => void): () => void;
}

export function createShelf(deps: Pick<OutboxDeps, "storeOf" | "tell">): Shelf {
  let entries: readonly OutboxEntry[] = [];
  let owner: number | null = null;
  let store: OutboxStore | null = null;
  /** What the browser could not keep, of whomever. */
  const loose = new Map<string, OutboxEntry>();
  /** Sent or given up here, while the store could not take that in: it may show them again, this tab does not. */
  const finished = new Set<string>();
  /** What is being stored right now. */
  const saving = new Map<string, Promise<void>>();
  const delayed = new Set<string>();
  /** Changes that may stand in the store and are not shown yet. */
  const altering = new Set<Promise<unknown>>();
  /** How often this tab has written into the store. */
  let written = 0;
  const listeners = new Set<() => void>();

  function set(next: readonly OutboxEntry[]): void {
    entries = next
      .map((entry) => (entry.delayed === delayed.has(entry.clientId) ? entry : { ...entry, delayed: !entry.delayed }))
      .toSorted((a, b) => a.order - b.order || (a.clientId < b.clientId ? -1 : 1));
    for (const listener of listeners) listener();
  }
  const find = (clientId: string) => entries.find((entry) => entry.clientId === clientId);
  const replace = (clientId: string, entry: OutboxEntry | null) => set(entries.flatMap((one) => (one.clientId === clientId ? (entry ?? []) : one)));

  function loosen(entry: OutboxEntry): void {
    loose.set(entry.clientId, { ...entry, kept: false });
    if (find(entry.clientId)) replace(entry.clientId, { ...entry, kept: false });
  }

  function alterLoose(clientId: string, change: Change): boolean {
    const entry = loose.get(clientId);
    const after = entry && change(entry);
    if (after === undefined) return false;
    if (after) loose.set(clientId, after);
    else {
      loose.delete(clientId);
      finished.add(clientId);
    }
    replace(clientId, after);
    return true;
  }

  async function alterKept(clientId: string, change: Change): Promise<boolean> {
    await saving.get(clientId);
    if (loose.has(clientId)) return alterLoose(clientId, change);
    const at = store;
    try {
      let after: OutboxEntry | null = null;
      const changed =
        (await at?.update(clientId, (entry) => {
          const next = change(entry);
          after = next ?? null;
          return next;
        })) ?? false;
      written += 1;
      if (changed && at === store) replace(clientId, after);
      if (changed) deps.tell();
      return changed;
    } catch {
      const entry = find(clientId);
      if (entry) loosen(entry);
      return alterLoose(clientId, change);
    }
  }

  async function alter(clientId: string, change: Change): Promise<boolean> {
    const altered = alterKept(clientId, change);
    altering.add(altered);
    try {
      return await altered;
    } finally {
      altering.delete(altered);
    }
  }

  async function refresh(): Promise<readonly OutboxEntry[]> {
    const at = store;
    let seen: number;
    let kept: OutboxEntry[] | null | undefined;
    do {
      await Promise.allSettled(altering);
      seen = written;
      kept = await at?.load().catch(() => null);
      // What was written meanwhile may be missing.
    } while (kept && at === store && (seen !== written || altering.size > 0));
    const before = entries;
    if (!kept || at !== store) return before;
    for (const { clientId } of kept)
      if (finished.has(clientId))
        at?.update(clientId, () => null).then(
          () => deps.tell(),
          () => undefined,
        );
    const next = kept.filter(({ clientId }) => !loose.has(clientId) && !finished.has(clientId));
    const known = new Set(next.map(({ clientId }) => clientId));
    const own = entries.filter(({ clientId }) => !known.has(clientId) && saving.has(clientId) && !loose.has(clientId));
    set([...next, ...own, ...[...loose.values()].filter(({ accountId }) => accountId === owner)]);
    return before;
  }

  return {
    owner: () => owner,
    entries: () => entries,
    find,
    takeOver(accountId) {
      if (owner === accountId) return;
      owner = accountId;
      store = deps.storeOf(accountId);
      set([...loose.values()].filter((entry) => entry.accountId === accountId));
    },
    put(entry) {
      const { clientId } = entry;
      // It was given up, and is sent after all.
      finished.delete(clientId);
      set([...entries, { ...entry, kept: false }]);
      written += 1;
      const kept = () => {
        const shown = find(clientId);
        if (shown) replace(clientId, { ...shown, kept: true });
        deps.tell();
      };
      const put = store!.put({ ...entry, kept: true }).then(kept, () => loosen(entry));
      saving.set(
        clientId,
        put.finally(() => {
          written += 1;
          saving.delete(clientId);
        }),
      );
    },
    stored: async (clientId) => saving.get(clientId),
    allStored: () => Promise.all(saving.values()),
    alter,
    refresh,
    drop: (clientId) => replace(clientId, null),
    delay: (clientId, is) => void (is ? delayed.add(clientId) : delayed.delete(clientId)),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
