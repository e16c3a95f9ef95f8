/** Uploads that outlive the page: their description, and apart from it their bytes, which the browser may refuse to keep. */
import type { Upload } from "./upload.ts";

export interface UploadStore {
  load(accountId: number): Promise<{ upload: Upload; file: Blob | null }[]>;
  /** Keeps the description; call again after changes. */
  save(upload: Upload): void;
  keepBytes(id: string, file: Blob): void;
  forgetBytes(id: string): void;
  remove(id: string): void;
  /** Forgets what others have left here, but what their messages wait for. */
  removeOthers(accountId: number): void;
}

const NAME = "talkback.uploads";
const NOTES = "notes";
const BYTES = "bytes";

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB"));
  });

/** In IndexedDB; where that is missing or full, uploads live as long as the page. */
export function createUploadStore(): UploadStore {
  let database: Promise<IDBDatabase> | undefined;
  function open(): Promise<IDBDatabase> {
    return (database ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore(NOTES, { keyPath: "id" });
        request.result.createObjectStore(BYTES);
      };
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error("IndexedDB"));
    }));
  }
  async function write(store: string, work: (store: IDBObjectStore) => void): Promise<void> {
    const transaction = (await open()).transaction(store, "readwrite");
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error("IndexedDB"));
      work(transaction.objectStore(store));
    });
  }
  /** Not being able to keep something costs only what a reload would have saved. */
  const attempt = (store: string, work: (store: IDBObjectStore) => void) => void write(store, work).catch(() => undefined);
  const notes = async () => settled<Upload[]>((await open()).transaction(NOTES).objectStore(NOTES).getAll());

  return {
    async load(accountId) {
      const mine = (await notes().catch(() => [])).filter((upload) => upload.accountId === accountId);
      return Promise.all(
        mine.map(async (upload) => ({
          upload,
          file: await settled<Blob | undefined>((await open()).transaction(BYTES).objectStore(BYTES).get(upload.id)).then(
            (file) => file ?? null,
            () => null,
          ),
        })),
      );
    },
    save: (upload) => attempt(NOTES, (store) => store.put(upload)),
    keepBytes: (id, file) => attempt(BYTES, (store) => store.put(file, id)),
    forgetBytes: (id) => attempt(BYTES, (store) => store.delete(id)),
    remove(id) {
      attempt(NOTES, (store) => store.delete(id));
      attempt(BYTES, (store) => store.delete(id));
    },
    removeOthers(accountId) {
      const remove = this.remove.bind(this);
      notes().then(
        (all) => all.filter((upload) => upload.accountId !== accountId && upload.messageId === null).forEach(({ id }) => remove(id)),
        () => undefined,
      );
    },
  };
}
