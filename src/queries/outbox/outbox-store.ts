/** The outbox in IndexedDB, and its lease for where browsers withhold locks (plain http). */
import type { OutboxEntry } from "./outbox.ts";
import type { OutboxStore } from "./sending.ts";

interface Kept extends OutboxEntry {
  /** The service it is meant for. */
  service: string;
}
interface Lease {
  name: string;
  holder: string;
  /** Epoch milliseconds. */
  until: number;
}

const NAME = "talkback.outbox";
const ENTRIES = "entries";
const LEASES = "leases";
/** A database that another page holds back may never answer. */
const OPENS_WITHIN_MS = 4_000;

let database: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  database ??= new Promise<IDBDatabase>((resolve, reject) => {
    setTimeout(() => reject(new Error("IndexedDB does not answer")), OPENS_WITHIN_MS);
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(ENTRIES, { keyPath: "clientId" });
      request.result.createObjectStore(LEASES, { keyPath: "name" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB"));
  }).then((opened) => {
    // Cleared by hand, or a newer page needs another form: the next call opens it again.
    opened.onclose = () => (database = undefined);
    opened.onversionchange = () => {
      opened.close();
      database = undefined;
    };
    return opened;
  });
  database.catch(() => (database = undefined));
  return database;
}

/** Runs `work` in one transaction and answers once it is durable. */
async function transact<T>(name: string, work: (store: IDBObjectStore, answer: (value: T) => void) => void): Promise<T | undefined> {
  const transaction = (await open()).transaction(name, "readwrite", { durability: "strict" });
  return new Promise((resolve, reject) => {
    let value: T | undefined;
    transaction.oncomplete = () => resolve(value);
    transaction.onabort = () => reject(transaction.error ?? new Error("IndexedDB"));
    work(transaction.objectStore(name), (given) => (value = given));
  });
}

/** What one account has written here for one service. */
export function outboxStore(service: string, accountId: number): OutboxStore {
  return {
    async load() {
      const all = await transact<Kept[]>(ENTRIES, (store, answer) => {
        const request: IDBRequest<Kept[]> = store.getAll();
        request.onsuccess = () => answer(request.result);
      });
      return (all ?? []).filter((entry) => entry.service === service && entry.accountId === accountId);
    },
    put: async (entry) => void (await transact(ENTRIES, (store) => void store.put({ ...entry, service }))),
    update: async (clientId, change) =>
      (await transact<boolean>(ENTRIES, (store, answer) => {
        const request: IDBRequest<Kept | undefined> = store.get(clientId);
        request.onsuccess = () => {
          const after = request.result && change(request.result);
          if (after === undefined) return;
          answer(true);
          if (after) store.put({ ...after, service });
          else store.delete(clientId);
        };
      })) ?? false,
  };
}

/** Longer than a request may take. */
const LEASE_MS = 15_000;
const RENEW_MS = 4_000;
const LOOK_AGAIN_MS = 300;

/** Takes a name that nobody holds; null where somebody does. A holder that died loses it after fifteen seconds. */
export async function tryLease(name: string, holder: string): Promise<(() => Promise<void>) | null> {
  const take = () =>
    transact<boolean>(LEASES, (store, answer) => {
      const request: IDBRequest<Lease | undefined> = store.get(name);
      request.onsuccess = () => {
        const held = request.result;
        if (held && held.holder !== holder && held.until > Date.now() && held.until <= Date.now() + LEASE_MS) return;
        store.put({ name, holder, until: Date.now() + LEASE_MS } satisfies Lease);
        answer(true);
      };
    });
  if (!(await take())) return null;
  const renewal = setInterval(() => void take().catch(() => undefined), RENEW_MS);
  return async () => {
    clearInterval(renewal);
    // A holder whose renewals came too late, as in a tab that the browser has slowed down, has lost it: what another took since stays theirs.
    const letGo = transact(LEASES, (store) => {
      const request: IDBRequest<Lease | undefined> = store.get(name);
      request.onsuccess = () => void (request.result?.holder === holder && store.delete(name));
    });
    await letGo.catch(() => undefined);
  };
}

/** Runs while nobody else holds the name. */
export async function withLease(name: string, holder: string, run: () => Promise<void>): Promise<void> {
  let release = await tryLease(name, holder);
  while (!release) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    release = await tryLease(name, holder);
  }
  try {
    await run();
  } finally {
    await release();
  }
}
