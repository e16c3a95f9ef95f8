/** Uploads that outlive the page: their description, and apart from it their bytes, which the browser may refuse to keep. */
import { createDatabase } from "../../lib/database.ts";
import { isPromised, type Upload } from "./upload.ts";

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
  keepBytes(id: string, file: Blob): Promise<boolean>;
  forgetBytes(id: string): void;
  /** Answers once it is gone; never rejects. */
  remove(id: string): Promise<void>;
  /** Forgets what others have left here, but what goes into folders and what their messages wait for. */
  removeOthers(accountId: number): void;
}

/** Small files are copied together: each transaction costs more than they do. */
const TOGETHER = 50;
const TOGETHER_BYTES = 16_000_000;

interface Copy {
  id: string;
  file: Blob;
  told(kept: boolean): void;
}

const NOTES = "notes";
const BYTES = "bytes";

const reading = <T>(answer: (value: T) => void, request: IDBRequest<T>) => void (request.onsuccess = () => answer(request.result));

/** In IndexedDB; where that is missing or full, uploads live as long as the page. */
export function createUploadStore(): UploadStore {
  const database = createDatabase("talkback.uploads", (fresh) => {
    fresh.createObjectStore(NOTES, { keyPath: "id" });
    fresh.createObjectStore(BYTES);
  });
  /** Not being able to keep something costs only what a reload would have saved. */
  const attempt = (store: string, work: (store: IDBObjectStore) => void) => database.transact<never>(store, work).catch(() => undefined);
  /** Not before what was written of it: a page that ends in between would ask for the bytes of what is done. */
  const dropBytes = (id: string, written: Promise<unknown>) => written.then(() => attempt(BYTES, (store) => store.delete(id)));
  /** Those that were asked for in one go. */
  let copies: Copy[] = [];
  function copyAll(): void {
    const all = copies;
    copies = [];
    while (all.length > 0) {
      let bytes = 0;
      const end = all.findIndex(({ file }, index) => index >= TOGETHER || ((bytes += file.size) > TOGETHER_BYTES && index > 0));
      const some = all.splice(0, end < 0 ? all.length : end);
      const tell = (kept: boolean) => some.forEach(({ told }) => told(kept));
      database
        .transact(BYTES, (store) => some.forEach(({ id, file }) => store.put(file, id)))
        .then(
          () => tell(true),
          () => tell(false),
        );
    }
  }
  const notes = async () => (await database.transact<Upload[]>(NOTES, (store, answer) => reading(answer, store.getAll()))) ?? [];
  const bytesOf = (id: string) => database.transact<Blob | undefined>(BYTES, (store, answer) => reading(answer, store.get(id)));

  return {
    async load(accountId) {
      return (await notes()).filter((upload) => upload.accountId === accountId);
    },
    async read(id) {
      const upload = await database.transact<Upload | undefined>(NOTES, (store, answer) => reading(answer, store.get(id)));
      return upload ? { upload, file: (await bytesOf(id).catch(() => null)) ?? null } : null;
    },
    save: (upload) => void attempt(NOTES, (store) => store.put(upload)),
    saveAll: (uploads) => void attempt(NOTES, (store) => uploads.forEach((upload) => store.put(upload))),
    keepBytes: (id, file) =>
      new Promise((resolve) => {
        copies.push({ id, file, told: resolve });
        if (copies.length === 1) queueMicrotask(copyAll);
      }),
    // Transactions of one store come one after the other: an empty one waits for those before it.
    forgetBytes: (id) =>
      void dropBytes(
        id,
        attempt(NOTES, () => undefined),
      ),
    remove: (id) =>
      dropBytes(
        id,
        attempt(NOTES, (store) => store.delete(id)),
      ),
    removeOthers(accountId) {
      notes().then(
        (all) =>
          all
            .filter((upload) => upload.accountId !== accountId && !isPromised(upload))
            .forEach(
              ({ id }) =>
                void dropBytes(
                  id,
                  attempt(NOTES, (store) => store.delete(id)),
                ),
            ),
        () => undefined,
      );
    },
  };
}
