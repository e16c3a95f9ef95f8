/** What one tab shows of the outbox: what all tabs keep together, and in memory what the browser could not keep. */
import type { OutboxEntry } from "./outbox.ts";
import type { OutboxDeps, OutboxStore } from "./sending.ts";

type Change = Parameters<OutboxStore["update"]>[1];

export interface OutboxStorage {
  owner(): number | null;
  /** The same array until something changes. */
  entries(): readonly OutboxEntry[];
  find(clientId: string): OutboxEntry | undefined;
  /** From now on it holds what this account has written. */
  setOwner(accountId: number): void;
  /** Shows it at once and has it kept. */
  add(entry: OutboxEntry): void;
  /** Resolves once it is kept, or will never be. */
  whenStored(clientId: string): Promise<void>;
  whenAllStored(): Promise<unknown>;
  /** In the store and here; where the store fails, here alone. Answers whether something was changed. */
  update(clientId: string, change: Change): Promise<boolean>;
  /** Takes over what is kept: other tabs write too. Answers what was shown before. */
  refresh(): Promise<readonly OutboxEntry[]>;
  /** Shows it no more. */
  remove(clientId: string): void;
  /** Seen from the next change on. */
  setDelayed(clientId: string, delayed: boolean): void;
  onChange(listener: () => void): () => void;
}

export function createOutboxStorage(deps: Pick<OutboxDeps, "openStore" | "notifyTabs">): OutboxStorage {
  let entries: readonly OutboxEntry[] = [];
  let owner: number | null = null;
  let store: OutboxStore | null = null;
  /** What the browser could not keep, of whomever. */
  const inMemoryEntries = new Map<string, OutboxEntry>();
  /** Sent or given up here, while the store could not take that in: it may show them again, this tab does not. */
  const finished = new Set<string>();
  /** What is being stored right now. */
  const pendingSaves = new Map<string, Promise<void>>();
  const delayed = new Set<string>();
  /** Changes that may stand in the store and are not shown yet. */
  const pendingUpdates = new Set<Promise<unknown>>();
  /** How often this tab has written into the store. */
  let writeCount = 0;
  const listeners = new Set<() => void>();

  function set(next: readonly OutboxEntry[]): void {
    entries = next
      .map((entry) => (entry.delayed === delayed.has(entry.clientId) ? entry : { ...entry, delayed: !entry.delayed }))
      .toSorted((a, b) => a.order - b.order || (a.clientId < b.clientId ? -1 : 1));
    for (const listener of listeners) listener();
  }
  const find = (clientId: string) => entries.find((entry) => entry.clientId === clientId);
  const replace = (clientId: string, entry: OutboxEntry | null) =>
    set(entries.flatMap((existing) => (existing.clientId === clientId ? (entry ?? []) : existing)));

  function moveToMemory(entry: OutboxEntry): void {
    inMemoryEntries.set(entry.clientId, { ...entry, kept: false });
    if (find(entry.clientId)) replace(entry.clientId, { ...entry, kept: false });
  }

  function updateInMemory(clientId: string, change: Change): boolean {
    const entry = inMemoryEntries.get(clientId);
    const updated = entry && change(entry);
    if (updated === undefined) return false;
    if (updated) inMemoryEntries.set(clientId, updated);
    else {
      inMemoryEntries.delete(clientId);
      finished.add(clientId);
    }
    replace(clientId, updated);
    return true;
  }

  async function updateStored(clientId: string, change: Change): Promise<boolean> {
    await pendingSaves.get(clientId);
    if (inMemoryEntries.has(clientId)) return updateInMemory(clientId, change);
    const currentStore = store;
    try {
      let updated: OutboxEntry | null = null;
      const changed =
        (await currentStore?.update(clientId, (entry) => {
          const next = change(entry);
          updated = next ?? null;
          return next;
        })) ?? false;
      writeCount += 1;
      if (changed && currentStore === store) replace(clientId, updated);
      if (changed) deps.notifyTabs();
      return changed;
    } catch {
      const entry = find(clientId);
      if (entry) moveToMemory(entry);
      return updateInMemory(clientId, change);
    }
  }

  async function update(clientId: string, change: Change): Promise<boolean> {
    const pendingUpdate = updateStored(clientId, change);
    pendingUpdates.add(pendingUpdate);
    try {
      return await pendingUpdate;
    } finally {
      pendingUpdates.delete(pendingUpdate);
    }
  }

  async function refresh(): Promise<readonly OutboxEntry[]> {
    const currentStore = store;
    let seenWriteCount: number;
    let storedEntries: OutboxEntry[] | null | undefined;
    do {
      await Promise.allSettled(pendingUpdates);
      seenWriteCount = writeCount;
      storedEntries = await currentStore?.load().catch(() => null);
      // What was written meanwhile may be missing.
    } while (storedEntries && currentStore === store && (seenWriteCount !== writeCount || pendingUpdates.size > 0));
    const before = entries;
    if (!storedEntries || currentStore !== store) return before;
    for (const { clientId } of storedEntries)
      if (finished.has(clientId))
        currentStore
          ?.update(clientId, () => null)
          .then(
            () => deps.notifyTabs(),
            () => undefined,
          );
    const next = storedEntries.filter(({ clientId }) => !inMemoryEntries.has(clientId) && !finished.has(clientId));
    const storedIds = new Set(next.map(({ clientId }) => clientId));
    const unsavedEntries = entries.filter(({ clientId }) => !storedIds.has(clientId) && pendingSaves.has(clientId) && !inMemoryEntries.has(clientId));
    set([...next, ...unsavedEntries, ...[...inMemoryEntries.values()].filter(({ accountId }) => accountId === owner)]);
    return before;
  }

  return {
    owner: () => owner,
    entries: () => entries,
    find,
    setOwner(accountId) {
      if (owner === accountId) return;
      owner = accountId;
      store = deps.openStore(accountId);
      set([...inMemoryEntries.values()].filter((entry) => entry.accountId === accountId));
    },
    add(entry) {
      const { clientId } = entry;
      // It was given up, and is sent after all.
      finished.delete(clientId);
      set([...entries, { ...entry, kept: false }]);
      writeCount += 1;
      const onStored = () => {
        const current = find(clientId);
        if (current) replace(clientId, { ...current, kept: true });
        deps.notifyTabs();
      };
      const saved = store!.put({ ...entry, kept: true }).then(onStored, () => moveToMemory(entry));
      pendingSaves.set(
        clientId,
        saved.finally(() => {
          writeCount += 1;
          pendingSaves.delete(clientId);
        }),
      );
    },
    whenStored: async (clientId) => pendingSaves.get(clientId),
    whenAllStored: () => Promise.all(pendingSaves.values()),
    update,
    refresh,
    remove: (clientId) => replace(clientId, null),
    setDelayed: (clientId, isDelayed) => void (isDelayed ? delayed.add(clientId) : delayed.delete(clientId)),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
