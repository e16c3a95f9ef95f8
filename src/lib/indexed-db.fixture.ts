/** Gives unit tests an IndexedDB in memory that follows the standard. */
import * as fakeIndexedDb from "fake-indexeddb";
import { openDB } from "idb";
import { vi } from "vitest";

/** Installs an empty IndexedDB, with all its classes, until `vi.unstubAllGlobals` is called. */
export function stubIndexedDb(): IDBFactory {
  for (const [name, value] of Object.entries(fakeIndexedDb)) if (name.startsWith("IDB")) vi.stubGlobal(name, value);
  const factory = new fakeIndexedDb.IDBFactory();
  vi.stubGlobal("indexedDB", factory);
  return factory;
}

/** Creates a database as earlier versions of this client did: version 1, with these records by store and key. */
export async function createEarlierDatabase(name: string, stores: Readonly<Record<string, { keyPath?: string; records: Readonly<Record<string, unknown>> }>>) {
  const database = await openDB(name, 1, {
    upgrade: (created) => Object.entries(stores).forEach(([store, { keyPath }]) => created.createObjectStore(store, keyPath === undefined ? {} : { keyPath })),
  });
  for (const [store, { keyPath, records }] of Object.entries(stores))
    for (const [key, record] of Object.entries(records)) await database.put(store, record, keyPath === undefined ? key : undefined);
  database.close();
}
