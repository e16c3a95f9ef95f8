/** Persists uploads beyond the page: their metadata, and separately their bytes, which the browser may refuse to store. */
import type { DBSchema, IDBPObjectStore } from "idb";
import { createDatabase, renameMembers } from "../../lib/database.ts";
import { survivesAccountSwitch, type Upload } from "./upload.ts";

/** Returns an upload with today's names, whichever version of this client stored it. */
export const upgradeStoredUpload = (upload: Upload): Upload =>
  renameMembers<Upload>(upload, {
    discarded: "isCanceled",
    fault: "error",
    kept: "isPersisted",
    landed: "savedAs",
    retryable: "isRetryable",
  });

interface UploadSchema extends DBSchema {
  /** Metadata, under the name that existing databases have; another name would hide what they hold. */
  notes: { key: string; value: Upload };
  bytes: { key: string; value: Blob };
}
type StoreName = "notes" | "bytes";

export type UploadStore = ReturnType<typeof createUploadStore>;

/** Creates the store in an IndexedDB database; where that is missing or full, uploads live as long as the page. */
export function createUploadStore(databaseName: string) {
  const database = createDatabase<UploadSchema>(databaseName, { notes: { keyPath: "id" }, bytes: {} });
  const read = <Name extends StoreName, T>(name: Name, work: (store: IDBPObjectStore<UploadSchema, Name[], Name>) => Promise<T>) =>
    database.transact([name], "readonly", (transaction) => work(transaction.objectStore(name)));
  /** Resolves to false on storage errors, which only cost the recovery after a reload. */
  const write = <Name extends StoreName>(name: Name, work: (store: IDBPObjectStore<UploadSchema, Name[], Name, "readwrite">) => unknown): Promise<boolean> =>
    database
      .transact([name], "readwrite", (transaction) => work(transaction.objectStore(name)))
      .then(
        () => true,
        () => false,
      );
  const deleteBytes = (id: string) => write("bytes", (store) => store.delete(id));
  const loadUploads = async () => (await read("notes", (store) => store.getAll())).map(upgradeStoredUpload);
  async function remove(id: string): Promise<void> {
    await write("notes", (store) => store.delete(id));
    await deleteBytes(id);
  }

  return {
    /** Rejects when storage cannot be read, so that the caller does not treat the uploads as removed. */
    load: async (accountId: number) => (await loadUploads()).filter((upload) => upload.accountId === accountId),
    /** Returns one upload as it is stored now; null when it was removed. Rejects like `load`. */
    async read(id: string) {
      const upload = await read("notes", (store) => store.get(id));
      return upload ? { upload: upgradeStoredUpload(upload), file: (await read("bytes", (store) => store.get(id)).catch(() => null)) ?? null } : null;
    },
    /** Stores the metadata; to be called again after changes. Resolves once it is stored or refused, in the order of the calls; never rejects. */
    save: async (upload: Upload) => void (await write("notes", (store) => store.put(upload))),
    /** Stores the metadata of many uploads at once, so that a reload right after finds all of them. */
    saveAll(uploads: readonly Upload[]): void {
      void write("notes", (store) => Promise.all(uploads.map((upload) => store.put(upload))));
    },
    /** Resolves to false when the browser could not store the bytes. */
    saveBytes: (id: string, file: Blob) => write("bytes", (store) => store.put(file, id)),
    async deleteBytes(id: string) {
      // Writes of one store run in order. If the bytes went first and the page closed, the next page would ask for the file of a finished upload.
      await write("notes", () => undefined);
      await deleteBytes(id);
    },
    /** Resolves once the upload is removed; never rejects. */
    remove,
    /** Removes other accounts' uploads, except those into folders and those that a message waits for, and bytes whose upload is gone. */
    async removeUnneeded(accountId: number): Promise<void> {
      try {
        // The bytes are listed first: an upload is stored before its bytes, so it is found below unless it was removed.
        const ids = new Set(await read("bytes", (store) => store.getAllKeys()));
        for (const upload of await loadUploads()) {
          if (upload.accountId !== accountId && !survivesAccountSwitch(upload)) void remove(upload.id);
          ids.delete(upload.id);
        }
        // A page that closed while it removed an upload may have left the bytes.
        for (const id of ids) void deleteBytes(id);
      } catch {
        // Without storage there is nothing to remove.
      }
    },
    close: database.close,
  };
}
