/** The outbox in IndexedDB, with leases for browsers that offer no locks (plain http). */
import { createDatabase, DURABLE } from "../../lib/database.ts";
import { tryAcquireLease, withLease, type Lease } from "./lease.ts";
import type { OutboxEntry } from "./outbox.ts";
import type { OutboxStore } from "./sending.ts";

interface StoredEntry extends OutboxEntry {
  /** The service that the entry is for. */
  service: string;
}

const ENTRIES = "entries";
const LEASES = "leases";

const database = createDatabase("talkback.outbox", (db) => {
  db.createObjectStore(ENTRIES, { keyPath: "clientId" });
  db.createObjectStore(LEASES, { keyPath: "name" });
});

/** Hides comments from pages that predate comments, which would send them as messages. */
const COMMENTS = "#comments";

/** Returns the service key that an entry is stored under. */
export const serviceKey = (address: string, { comment }: Pick<OutboxEntry, "comment">): string => (comment ? address + COMMENTS : address);

/** Opens the store of one account's entries for one service. */
export function outboxStore(address: string, accountId: number): OutboxStore {
  return {
    async load() {
      const all = await database.transact<StoredEntry[]>(ENTRIES, (store, resolve) => {
        const request: IDBRequest<StoredEntry[]> = store.getAll();
        request.onsuccess = () => resolve(request.result);
      });
      return (all ?? []).filter((entry) => entry.service === serviceKey(address, entry) && entry.accountId === accountId);
    },
    put: async (entry) => void (await database.transact(ENTRIES, (store) => void store.put({ ...entry, service: serviceKey(address, entry) }), DURABLE)),
    update: (clientId, change) =>
      database.update<StoredEntry>(ENTRIES, clientId, (entry) => {
        const updated = entry && change(entry);
        return updated && { ...updated, service: serviceKey(address, updated) };
      }),
  };
}

const leaseRequest = (name: string, holder: string) => ({
  name,
  holder,
  change: (change: (current: Lease | undefined) => Lease | null | undefined) => database.update<Lease>(LEASES, name, change),
});

/** Runs while no other tab holds the lease. */
export const runWithLease = (name: string, holder: string, run: () => Promise<void>): Promise<void> => withLease(leaseRequest(name, holder), run);

/** Acquires a lease and returns its release function; null when another tab holds it. */
export const tryAcquireNamedLease = (name: string, holder: string) => tryAcquireLease(leaseRequest(name, holder));
