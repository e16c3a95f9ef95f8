/** The outbox in IndexedDB, and the leases of tabs in browsers that offer no locks. */
import type { DBSchema } from "idb";
import { createDatabase, DURABLE, renameMembers } from "../../lib/database.ts";
import type { Lease } from "../../lib/locks.ts";
import type { OutboxEntry, OutboxStore } from "./outbox-types.ts";

/** Hides comments from earlier versions of this client, which would send them as messages. */
const COMMENTS = "#comments";

interface StoredEntry extends OutboxEntry {
  /** The service that the entry is for. */
  service: string;
}

/** Returns an entry with today's names, whichever version of this client stored it. */
export const upgradeStoredEntry = <T extends OutboxEntry>(entry: T): T =>
  renameMembers<T>(entry, { delayed: "isDelayed", fault: "error", kept: "isPersisted" });

interface OutboxSchema extends DBSchema {
  entries: { key: string; value: StoredEntry };
  leases: { key: string; value: Lease };
}

export function createOutboxDatabase() {
  const database = createDatabase<OutboxSchema>("talkback.outbox", { entries: { keyPath: "clientId" }, leases: { keyPath: "name" } });

  /** Changes one record atomically and resolves with whether it changed. `change` returns null to remove the record and undefined to keep it. */
  const updateRecord = <Name extends "entries" | "leases">(
    name: Name,
    key: string,
    change: (record: OutboxSchema[Name]["value"] | undefined) => OutboxSchema[Name]["value"] | null | undefined,
  ): Promise<boolean> =>
    database.transact(
      [name],
      "readwrite",
      async (transaction) => {
        const store = transaction.objectStore(name);
        const updated = change(await store.get(key));
        if (updated === null) await store.delete(key);
        else if (updated !== undefined) await store.put(updated);
        return updated !== undefined;
      },
      DURABLE,
    );

  return {
    close: database.close,
    changeLease: (name: string, change: (current: Lease | undefined) => Lease | null | undefined) => updateRecord("leases", name, change),
    /** Opens the store of one account's entries for one service. */
    openStore: (address: string, accountId: number): OutboxStore => ({
      async load() {
        const all = await database.transact(["entries"], "readonly", (transaction) => transaction.objectStore("entries").getAll());
        return all.map(upgradeStoredEntry).filter((entry) => entry.service === serviceKey(address, entry) && entry.accountId === accountId);
      },
      async put(entry) {
        const stored = { ...entry, service: serviceKey(address, entry) };
        await database.transact(["entries"], "readwrite", (transaction) => transaction.objectStore("entries").put(stored), DURABLE);
      },
      update: (clientId, change) =>
        updateRecord("entries", clientId, (entry) => {
          const updated = entry && change(upgradeStoredEntry(entry));
          return updated && { ...updated, service: serviceKey(address, updated) };
        }),
    }),
  };
}

/** Returns the service key that an entry is stored under. */
export const serviceKey = (address: string, { comment }: Pick<OutboxEntry, "comment">): string => (comment ? address + COMMENTS : address);
