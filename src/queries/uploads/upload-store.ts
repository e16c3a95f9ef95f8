/** Uploads that outlive the page: their description, and apart from it their bytes, which the browser may refuse to keep. */
import { createDatabase } from "../../lib/database.ts";
import { isRetained, type Upload } from "./upload.ts";

export interface UploadStore {
  /** Rejects where it cannot be read: what is not known is not gone. */
  load(accountId: number): Promise<Upload[]>;
  /** One of them as it stands now, null where it was removed since. Rejects like `load`. */
  read(id: string): Promise<{ upload: Upload; file: Blob | null } | null>;
  /** Keeps the description; call again after changes. */
  save(upload: Upload): void;
  /** The same for many, at once: a reload right after finds all of them. */
  saveAll(uploads: readonly Upload[]): void;
  /** False where the browser does not hold them: it has no room, or no store. */
  saveBytes(id: string, file: Blob): Promise<boolean>;
  deleteBytes(id: string): void;
  /** Answers once it is gone; never rejects. */
  remove(id: string): Promise<void>;
  /** Forgets what others have left here, but what goes into folders and what their messages wait for. */
  removeOtherAccounts(accountId: number): void;
}

/** Small files are copied together: each transaction costs more than they do. */
const MAX_BATCH_COUNT = 50;
const MAX_BATCH_BYTES = 16_000_000;

interface PendingCopy {
  id: string;
  file: Blob;
  onDone(isStored: boolean): void;
}

const UPLOADS_STORE = "notes";
const BYTES_STORE = "bytes";

const resolveRequest = <T>(resolve: (value: T) => void, request: IDBRequest<T>) => void (request.onsuccess = () => resolve(request.result));

/** In IndexedDB; where that is missing or full, uploads live as long as the page. */
export function createUploadStore(): UploadStore {
  const database = createDatabase("talkback.uploads", (db) => {
    db.createObjectStore(UPLOADS_STORE, { keyPath: "id" });
    db.createObjectStore(BYTES_STORE);
  });
  /** Not being able to keep something costs only what a reload would have saved. */
  const tryTransact = (store: string, work: (store: IDBObjectStore) => void) => database.transact<never>(store, work).catch(() => undefined);
  /** Not before what was written of it: a page that ends in between would ask for the bytes of what is done. */
  const deleteBytesAfter = (id: string, previousWrite: Promise<unknown>) => previousWrite.then(() => tryTransact(BYTES_STORE, (store) => store.delete(id)));
  /** Those that were asked for in one go. */
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
  const loadUploads = async () => (await database.transact<Upload[]>(UPLOADS_STORE, (store, resolve) => resolveRequest(resolve, store.getAll()))) ?? [];
  const loadBytes = (id: string) => database.transact<Blob | undefined>(BYTES_STORE, (store, resolve) => resolveRequest(resolve, store.get(id)));

  return {
    async load(accountId) {
      return (await loadUploads()).filter((upload) => upload.accountId === accountId);
    },
    async read(id) {
      const upload = await database.transact<Upload | undefined>(UPLOADS_STORE, (store, resolve) => resolveRequest(resolve, store.get(id)));
      return upload ? { upload, file: (await loadBytes(id).catch(() => null)) ?? null } : null;
    },
    save: (upload) => void tryTransact(UPLOADS_STORE, (store) => store.put(upload)),
    saveAll: (uploads) => void tryTransact(UPLOADS_STORE, (store) => uploads.forEach((upload) => store.put(upload))),
    saveBytes: (id, file) =>
      new Promise((resolve) => {
        pendingCopies.push({ id, file, onDone: resolve });
        if (pendingCopies.length === 1) queueMicrotask(flushCopies);
      }),
    // Transactions of one store come one after the other: an empty one waits for those before it.
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
            .filter((upload) => upload.accountId !== accountId && !isRetained(upload))
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
