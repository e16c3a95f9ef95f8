/**
 * Wraps an IndexedDB database, opened on first use and again after it was closed. Every call may reject: storage can be forbidden, full or blocked.
 */

/** Opening may never finish while another page blocks the database. */
const OPEN_TIMEOUT_MS = 4_000;

export interface Database {
  /** Runs `work` in one transaction over one store and resolves, after the transaction completes, with the last value passed to `setResult`. */
  transact<T>(store: string, work: (store: IDBObjectStore, setResult: (value: T) => void) => void, options?: IDBTransactionOptions): Promise<T | undefined>;
  /** Changes one record atomically and resolves with whether it changed. `change` returns null to remove the record and undefined to keep it. */
  update<T>(store: string, key: string, change: (record: T | undefined) => T | null | undefined): Promise<boolean>;
}

/** Resolves only after the data is on disk. */
export const DURABLE: IDBTransactionOptions = { durability: "strict" };

/** Returns a stored record with `newNames` for the members that earlier versions of this client wrote under other names. */
export const renameMembers = <T extends object>(record: T, newNames: Readonly<Record<string, keyof T & string>>): T =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [newNames[name] ?? name, value])) as T;

/** `upgrade` creates the object stores of a new database. */
export function createDatabase(name: string, upgrade: (database: IDBDatabase) => void): Database {
  let database: Promise<IDBDatabase> | undefined;

  function open(): Promise<IDBDatabase> {
    if (database) return database;
    const opening = new Promise<IDBDatabase>((resolve, reject) => {
      setTimeout(() => reject(new Error("IndexedDB does not respond")), OPEN_TIMEOUT_MS);
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => upgrade(request.result);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error("IndexedDB"));
    }).then((opened) => {
      // If the user clears the database or a newer page needs another schema, the next call opens the database again.
      opened.onclose = () => (database = undefined);
      opened.onversionchange = () => {
        opened.close();
        database = undefined;
      };
      return opened;
    });
    database = opening;
    opening.catch(() => (database = undefined));
    return opening;
  }

  async function transact<T>(store: string, work: (store: IDBObjectStore, setResult: (value: T) => void) => void, options?: IDBTransactionOptions) {
    const transaction = (await open()).transaction(store, "readwrite", options);
    return new Promise<T | undefined>((resolve, reject) => {
      let value: T | undefined;
      transaction.oncomplete = () => resolve(value);
      transaction.onabort = () => reject(transaction.error ?? new Error("IndexedDB"));
      work(transaction.objectStore(store), (result) => (value = result));
    });
  }

  return {
    transact,
    async update<T>(store: string, key: string, change: (record: T | undefined) => T | null | undefined) {
      const work = (records: IDBObjectStore, setResult: (changed: boolean) => void) => {
        const request: IDBRequest<T | undefined> = records.get(key);
        request.onsuccess = () => {
          const updated = change(request.result);
          if (updated === undefined) return;
          setResult(true);
          if (updated === null) records.delete(key);
          else records.put(updated);
        };
      };
      return (await transact<boolean>(store, work, DURABLE)) ?? false;
    },
  };
}
