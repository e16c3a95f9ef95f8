/** Persists uploads beyond the page: their metadata, and separately their bytes, which the browser may refuse to store. */
import { createDatabase, renameMembers } from "../../lib/database.ts";
import { survivesAccountSwitch, type Upload } from "./upload.ts";

export interface UploadStore {
  /** Rejects when storage cannot be read, so that the caller does not treat the uploads as removed. */
  load(accountId: number): Promise<Upload[]>;
  /** Returns one upload as it is stored now; null when it was removed. Rejects like `load`. */
  read(id: string): Promise<{ upload: Upload; file: Blob | null } | null>;
  /** Stores the metadata; to be called again after changes. Resolves once it is stored or refused, in the order of the calls; never rejects. */
  save(upload: Upload): Promise<void>;
  /** Stores the metadata of many uploads at once, so that a reload right after finds all of them. */
  saveAll(uploads: readonly Upload[]): void;
  /** Resolves to false when the browser could not store the bytes. */
  saveBytes(id: string, file: Blob): Promise<boolean>;
  deleteBytes(id: string): void;
  /** Resolves once the upload is removed; never rejects. */
  remove(id: string): Promise<void>;
  /** Removes other accounts' uploads, except those into folders and those that a message waits for. */
  removeOtherAccounts(accountId: number): void;
}

/** Limits of one transaction, which copies many small files together because a transaction costs more than a small file. */
const MAX_BATCH_COUNT = 50;
const MAX_BATCH_BYTES = 16_000_000;

interface PendingCopy {
  id: string;
  file: Blob;
  onDone(isStored: boolean): void;
}

/** Returns an upload with today's names, whichever version of this client stored it. */
export const upgradeStoredUpload = (upload: Upload): Upload =>
  renameMembers<Upload>(upload, {
    discarded: "isCanceled",
    fault: "error",
    faults: "errorCount",
    kept: "isPersisted",
    landed: "savedAs",
    pauseMs: "retryDelayMs",
    retryable: "isRetryable",
    tries: "attemptCount",
  });

/** The store's name in existing databases; another name would hide what they hold. */
const UPLOADS_STORE = "notes";
const BYTES_STORE = "bytes";

const resolveRequest = <T>(resolve: (value: T) => void, request: IDBRequest<T>) => void (request.onsuccess = () => resolve(request.result));

/** Creates the store in IndexedDB; where that is missing or full, uploads live as long as the page. */
export function createUploadStore(): UploadStore {
  const database = createDatabase("talkback.uploads", (db) => {
    db.createObjectStore(UPLOADS_STORE, { keyPath: "id" });
    db.createObjectStore(BYTES_STORE);
  });
  /** Ignores storage errors, which only cost the recovery after a reload. */
  const tryTransact = (store: string, work: (store: IDBObjectStore) => void) => database.transact<never>(store, work).catch(() => undefined);
  /** Deletes the bytes only after the previous write; otherwise, if the page closes in between, the next page asks for the file of a finished upload. */
  const deleteBytesAfter = (id: string, previousWrite: Promise<unknown>) => previousWrite.then(() => tryTransact(BYTES_STORE, (store) => store.delete(id)));
  /** Copies requested in the same task, stored together. */
  let pendingCopies: PendingCopy[] = [];
  function flushCopies(): void {
    const queued = pendingCopies;
    pendingCopies = [];
    while (queued.length > 0) {
      let bytes = 0;
      const end = queued.findIndex(({ file }, index) => index >= MAX_BATCH_COUNT || ((bytes += file.size) > MAX_BATCH_BYTES && index > 0));
      const batch = queued.splice(0, end < 0 ? queued.length : end);
      const notify = (isStored: boolean) => batch.forEach(({ onDone }) => onDone(isStored));
      database
        .transact(BYTES_STORE, (store) => batch.forEach(({ id, file }) => store.put(file, id)))
        .then(
          () => notify(true),
          () => notify(false),
        );
    }
  }
  async function loadUploads(): Promise<Upload[]> {
    const uploads = await database.transact<Upload[]>(UPLOADS_STORE, (store, resolve) => resolveRequest(resolve, store.getAll()));
    return (uploads ?? []).map(upgradeStoredUpload);
  }
  const loadBytes = (id: string) => database.transact<Blob | undefined>(BYTES_STORE, (store, resolve) => resolveRequest(resolve, store.get(id)));

  return {
    async load(accountId) {
      return (await loadUploads()).filter((upload) => upload.accountId === accountId);
    },
    async read(id) {
      const upload = await database.transact<Upload | undefined>(UPLOADS_STORE, (store, resolve) => resolveRequest(resolve, store.get(id)));
      return upload ? { upload: upgradeStoredUpload(upload), file: (await loadBytes(id).catch(() => null)) ?? null } : null;
    },
    save: (upload) => tryTransact(UPLOADS_STORE, (store) => store.put(upload)),
    saveAll: (uploads) => void tryTransact(UPLOADS_STORE, (store) => uploads.forEach((upload) => store.put(upload))),
    saveBytes: (id, file) =>
      new Promise((resolve) => {
        pendingCopies.push({ id, file, onDone: resolve });
        if (pendingCopies.length === 1) queueMicrotask(flushCopies);
      }),
    // Transactions of one store run in order, so an empty one waits for those before it.
    deleteBytes: (id) =>
      void deleteBytesAfter(
        id,
        tryTransact(UPLOADS_STORE, () => undefined),
      ),
    remove: (id) =>
      deleteBytesAfter(
        id,
        tryTransact(UPLOADS_STORE, (store) => store.delete(id)),
      ),
    removeOtherAccounts(accountId) {
      loadUploads().then(
        (queued) =>
          queued
            .filter((upload) => upload.accountId !== accountId && !survivesAccountSwitch(upload))
            .forEach(
              ({ id }) =>
                void deleteBytesAfter(
                  id,
                  tryTransact(UPLOADS_STORE, (store) => store.delete(id)),
                ),
            ),
        () => undefined,
      );
    },
  };
}
