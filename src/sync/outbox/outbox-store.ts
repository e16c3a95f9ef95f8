/** The outbox in IndexedDB, with leases that exclude other tabs in browsers that offer no locks (plain http). */
import type { DBSchema } from "idb";
import { createDatabase, DURABLE, renameMembers } from "../../lib/database.ts";
import type { OutboxEntry, OutboxStore } from "./outbox-types.ts";

/** Hides comments from earlier versions of this client, which would send them as messages. */
const COMMENTS = "#comments";

/** A hidden tab's timers run once a minute and a request takes up to 15 s, so a holder that is silent for longer is gone. */
const LEASE_MS = 90_000;
/** Not shorter, since each upload of a folder renews a lease of its own. */
const RENEW_MS = 10_000;
const RETRY_MS = 300;

interface StoredEntry extends OutboxEntry {
  /** The service that the entry is for. */
  service: string;
}

/** Returns an entry with today's names, whichever version of this client stored it. */
export const upgradeStoredEntry = <T extends OutboxEntry>(entry: T): T =>
  renameMembers<T>(entry, { delayed: "isDelayed", fault: "error", kept: "isPersisted" });

export interface Lease {
  name: string;
  holder: string;
  /** Epoch milliseconds. */
  until: number;
}

interface LeaseRequest {
  name: string;
  holder: string;
  /** Changes the stored record atomically: null removes it, undefined leaves it. Returns whether it changed. */
  change(change: (current: Lease | undefined) => Lease | null | undefined): Promise<boolean>;
}

interface OutboxSchema extends DBSchema {
  entries: { key: string; value: StoredEntry };
  leases: { key: string; value: Lease };
}

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

/** Opens the store of one account's entries for one service. */
export function outboxStore(address: string, accountId: number): OutboxStore {
  return {
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
  };
}

/** Returns the service key that an entry is stored under. */
export const serviceKey = (address: string, { comment }: Pick<OutboxEntry, "comment">): string => (comment ? address + COMMENTS : address);

/** Runs while no other tab holds the lease. */
export const runWithLease = (name: string, holder: string, run: () => Promise<void>): Promise<void> => withLease(leaseRequest(name, holder), run);

/** Acquires a lease and returns its release function; null when another tab holds it. */
export const tryAcquireNamedLease = (name: string, holder: string) => tryAcquireLease(leaseRequest(name, holder));

const leaseRequest = (name: string, holder: string) => ({
  name,
  holder,
  change: (change: (current: Lease | undefined) => Lease | null | undefined) => updateRecord("leases", name, change),
});

/** Acquires a free lease and returns its release function; null when somebody else holds it. A holder that is silent for 90 s loses it. */
export async function tryAcquireLease({ name, holder, change }: LeaseRequest): Promise<(() => Promise<void>) | null> {
  const acquireOrRenew = () =>
    change((current) => {
      const now = Date.now();
      // An expiry beyond the maximum was written before the clock was set back.
      if (current && current.holder !== holder && current.until > now && current.until <= now + LEASE_MS) return undefined;
      return { name, holder, until: now + LEASE_MS };
    });
  if (!(await acquireOrRenew())) return null;
  const renewal = setInterval(() => void acquireOrRenew().catch(() => undefined), RENEW_MS);
  return async () => {
    clearInterval(renewal);
    // Another holder may have it by now.
    await change((current) => (current?.holder === holder ? null : undefined)).catch(() => undefined);
  };
}

/** Waits for the lease and runs while holding it. */
export async function withLease(request: LeaseRequest, run: () => Promise<void>): Promise<void> {
  let release = await tryAcquireLease(request);
  while (!release) {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    release = await tryAcquireLease(request);
  }
  try {
    await run();
  } finally {
    await release();
  }
}
