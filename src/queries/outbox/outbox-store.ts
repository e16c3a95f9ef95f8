/** The outbox in IndexedDB, and its lease for where browsers withhold locks (plain http). */
import { createDatabase, DURABLE } from "../../lib/database.ts";
import { tryLease, withLease, type Lease } from "./lease.ts";
import type { OutboxEntry } from "./outbox.ts";
import type { OutboxStore } from "./sending.ts";

interface Kept extends OutboxEntry {
  /** The service it is meant for. */
  service: string;
}

const ENTRIES = "entries";
const LEASES = "leases";

const database = createDatabase("talkback.outbox", (fresh) => {
  fresh.createObjectStore(ENTRIES, { keyPath: "clientId" });
  fresh.createObjectStore(LEASES, { keyPath: "name" });
});

/** A page from before there were comments must not send them as messages: by this name it does not find them. */
const COMMENTS = "#comments";

/** The service that an entry is kept for. */
export const serviceOf = (address: string, { comment }: Pick<OutboxEntry, "comment">): string => (comment ? address + COMMENTS : address);

/** What one account has written here for one service. */
export function outboxStore(address: string, accountId: number): OutboxStore {
  return {
    async load() {
      const all = await database.transact<Kept[]>(ENTRIES, (store, answer) => {
        const request: IDBRequest<Kept[]> = store.getAll();
        request.onsuccess = () => answer(request.result);
      });
      return (all ?? []).filter((entry) => entry.service === serviceOf(address, entry) && entry.accountId === accountId);
    },
    put: async (entry) => void (await database.transact(ENTRIES, (store) => void store.put({ ...entry, service: serviceOf(address, entry) }), DURABLE)),
    update: (clientId, change) =>
      database.alter<Kept>(ENTRIES, clientId, (entry) => {
        const after = entry && change(entry);
        return after && { ...after, service: serviceOf(address, after) };
      }),
  };
}

const wishOf = (name: string, holder: string) => ({
  name,
  holder,
  change: (change: (held: Lease | undefined) => Lease | null | undefined) => database.alter<Lease>(LEASES, name, change),
});

/** Runs while no other tab holds the name. */
export const leased = (name: string, holder: string, run: () => Promise<void>): Promise<void> => withLease(wishOf(name, holder), run);

/** Takes a name that no other tab holds, and answers the way to let go; null where one does. */
export const tryLeased = (name: string, holder: string) => tryLease(wishOf(name, holder));
