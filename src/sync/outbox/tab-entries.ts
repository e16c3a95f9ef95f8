/** The entries of the outbox as one tab shows them: those that the store persists for all tabs, and those that the browser could not persist. */
import { createEmitter } from "../../lib/store.ts";
import type { OutboxDeps, OutboxEntry, OutboxStore } from "./outbox-types.ts";

type Change = Parameters<OutboxStore["update"]>[1];

export type TabEntries = ReturnType<typeof createTabEntries>;

export function createTabEntries(deps: Pick<OutboxDeps, "openStore" | "notifyTabs">) {
  let entries: readonly OutboxEntry[] = [];
  let owner: number | null = null;
  let store: OutboxStore | null = null;
  /** Entries of any account that the browser could not persist. */
  const inMemoryEntries = new Map<string, OutboxEntry>();
  /** Entries sent or discarded here while the store failed; the store may return them again, but this tab does not show them. */
  const finished = new Set<string>();
  const pendingSaves = new Map<string, Promise<void>>();
  const delayed = new Set<string>();
  /** Updates that may be stored but are not shown yet. */
  const pendingUpdates = new Set<Promise<unknown>>();
  /** Whether the entries of the owner's earlier pages have been loaded. */
  let isLoaded = false;
  /** Counts this tab's writes to the store. */
  let writeCount = 0;
  const { emit, subscribe } = createEmitter();

  function set(next: readonly OutboxEntry[]): void {
    entries = next
      .map((entry) => (entry.isDelayed === delayed.has(entry.clientId) ? entry : { ...entry, isDelayed: !entry.isDelayed }))
      .toSorted((a, b) => a.order - b.order || (a.clientId < b.clientId ? -1 : 1));
    emit();
  }
  const find = (clientId: string) => entries.find((entry) => entry.clientId === clientId);
  const replace = (clientId: string, entry: OutboxEntry | null) =>
    set(entries.flatMap((existing) => (existing.clientId === clientId ? (entry ?? []) : existing)));

  /** Moves an entry to this tab's memory, because its changes can no longer be stored. */
  function moveToMemory(entry: OutboxEntry): void {
    inMemoryEntries.set(entry.clientId, entry);
    if (find(entry.clientId)) replace(entry.clientId, entry);
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
      // Keep the change in memory; full storage still contains the unchanged entry, which another page would send.
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

  async function refresh(): Promise<readonly OutboxEntry[] | null> {
    const currentStore = store;
    let seenWriteCount: number;
    let storedEntries: OutboxEntry[] | null | undefined;
    do {
      await Promise.allSettled(pendingUpdates);
      seenWriteCount = writeCount;
      storedEntries = await currentStore?.load().catch(() => null);
      // The result may lack entries written during the load.
    } while (storedEntries && currentStore === store && (seenWriteCount !== writeCount || pendingUpdates.size > 0));
    const before = entries;
    if (!storedEntries) return null;
    if (currentStore !== store) return before;
    isLoaded = true;
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
    /** Returns the same array until something changes. */
    entries: () => entries,
    find,
    /** Switches to the entries of this account. */
    setOwner(accountId: number | null) {
      if (owner === accountId) return;
      owner = accountId;
      isLoaded = false;
      store = accountId === null ? null : deps.openStore(accountId);
      set([...inMemoryEntries.values()].filter((entry) => entry.accountId === accountId));
    },
    /** Shows an entry at once and persists it. */
    add(entry: OutboxEntry) {
      const { clientId } = entry;
      // An entry with this id may have been discarded here before.
      finished.delete(clientId);
      set([...entries, { ...entry, isPersisted: false }]);
      writeCount += 1;
      const onStored = () => {
        const current = find(clientId);
        if (current) replace(clientId, { ...current, isPersisted: true });
        deps.notifyTabs();
      };
      const saved = store!.put({ ...entry, isPersisted: true }).then(onStored, () => moveToMemory({ ...entry, isPersisted: false }));
      pendingSaves.set(
        clientId,
        saved.finally(() => {
          writeCount += 1;
          pendingSaves.delete(clientId);
        }),
      );
    },
    /** Resolves once the entry is persisted, or never will be. */
    whenStored: async (clientId: string) => pendingSaves.get(clientId),
    whenAllStored: () => Promise.all(pendingSaves.values()),
    /** Returns the entries that are being stored now; none before the entries of earlier pages, which are sent first, are loaded. */
    idsBeingStored: (): ReadonlySet<string> => new Set(isLoaded ? pendingSaves.keys() : []),
    /** Updates the entry in the store and here, or only here when the store fails. Returns whether it changed. */
    update,
    /** Loads the stored entries, including those of other tabs. Returns the entries shown before; null if the store could not be read. */
    refresh,
    /** Stops showing an entry. */
    remove: (clientId: string) => replace(clientId, null),
    /** Sets an entry's `isDelayed`, which listeners receive with the next change. */
    setDelayed: (clientId: string, isDelayed: boolean) => void (isDelayed ? delayed.add(clientId) : delayed.delete(clientId)),
    onChange: subscribe,
  };
}
