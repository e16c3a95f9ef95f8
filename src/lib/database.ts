/** Opens IndexedDB databases on first use, and again after their connection ended. Every call may reject: storage can be forbidden, full or blocked. */
import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from "idb";

/** Opening may never finish while another page blocks the database. */
const OPEN_TIMEOUT_MS = 4_000;

/** Resolves only after the data is on disk. */
export const DURABLE: IDBTransactionOptions = { durability: "strict" };

/** Returns a stored record with `newNames` for the members that earlier versions of this client wrote under other names. */
export const renameMembers = <T extends object>(record: T, newNames: Readonly<Record<string, keyof T & string>>): T =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [newNames[name] ?? name, value])) as T;

/**
 * `stores` names the object stores with their keys. A database is opened in the version that it has and upgraded only if a store is missing, so a page
 * also works with the database of a newer version. A newer version therefore adds stores and never changes the key of one.
 */
export function createDatabase<Schema extends DBSchema>(name: string, stores: Readonly<Record<StoreNames<Schema> & string, IDBObjectStoreParameters>>) {
  let connection: Promise<IDBPDatabase<Schema>> | undefined;
  /** Calls that wait for the connection. */
  let waitingCount = 0;
  let isClosed = false;
  const storeNames = Object.keys(stores) as (StoreNames<Schema> & string)[];
  const missingStores = (database: IDBPDatabase<Schema>) => storeNames.filter((store) => !database.objectStoreNames.contains(store));

  async function connect(version?: number): Promise<IDBPDatabase<Schema>> {
    const database = await openDB<Schema>(name, version, {
      upgrade: (upgraded) => missingStores(upgraded).forEach((store) => upgraded.createObjectStore(store, stores[store])),
      // Another page needs another schema, or the user deletes the database. The next call opens it again.
      blocking(_currentVersion, _blockedVersion, event) {
        (event.target as IDBDatabase).close();
        disconnect();
      },
      terminated: disconnect,
    }).catch((error: unknown) => {
      // Another page has upgraded the database meanwhile.
      if (version !== undefined && isNamed(error, "VersionError")) return connect();
      throw error;
    });
    if (missingStores(database).length === 0) return database;
    database.close();
    return connect(database.version + 1);
  }

  function disconnect(): void {
    connection = undefined;
  }

  /** Transactions that have begun end before their connection does. */
  function closeIfUnused(): void {
    if (!isClosed || waitingCount > 0) return;
    connection?.then((database) => database.close()).catch(() => undefined);
    disconnect();
  }

  /** Rejects after a while; the connection is used by later calls if it opens after all. */
  async function open(): Promise<IDBPDatabase<Schema>> {
    if (!connection) {
      connection = connect();
      connection.catch(disconnect);
    }
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => timeout.reject(new Error("IndexedDB does not respond")), OPEN_TIMEOUT_MS);
    return Promise.race([connection, timeout.promise]).finally(() => clearTimeout(timer));
  }

  return {
    /** Runs `work` in one transaction over these stores, and resolves with its result once the transaction is complete. It may only await the transaction's requests. */
    async transact<Name extends StoreNames<Schema>, Mode extends "readonly" | "readwrite", Result>(
      names: Name[],
      mode: Mode,
      work: (transaction: IDBPTransaction<Schema, Name[], Mode>) => Result | Promise<Result>,
      options?: IDBTransactionOptions,
    ): Promise<Result> {
      const begin = async () => {
        waitingCount += 1;
        try {
          return (await open()).transaction(names, mode, options);
        } finally {
          waitingCount -= 1;
          closeIfUnused();
        }
      };
      const transaction = await begin().catch((error: unknown) => {
        // Browsers may close a connection without an event, for example while the page is suspended.
        if (!isNamed(error, "InvalidStateError")) throw error;
        disconnect();
        return begin();
      });
      const run = async () => {
        try {
          return await work(transaction);
        } catch (error) {
          try {
            transaction.abort();
          } catch {
            // The transaction has ended.
          }
          throw error;
        }
      };
      const [result] = await Promise.all([run(), transaction.done]);
      return result;
    },
    /** Ends the connection after the calls before it; each later call opens one for itself. */
    close(): void {
      isClosed = true;
      closeIfUnused();
    },
  };
}

const isNamed = (error: unknown, name: string) => error instanceof DOMException && error.name === name;
