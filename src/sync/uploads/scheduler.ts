/** Schedules uploads as slots are free, and the copies of bytes from which a reload resumes them. */
import type { UploadInput, UploadListener } from "../../api/uploads.ts";
import type { UploadStore } from "./upload-store.ts";
import { isFilesViewUpload, type Upload, type UploadEvent } from "./upload.ts";

/** More parallel uploads would only share the same bandwidth. A message's files and those of folders have separate slots. */
const MAX_PARALLEL_UPLOADS = 3;
/** Limits of the bytes that are copied, because copying a large file takes disk space and as long as a fast upload. */
const MAX_COPIED_FILE_BYTES = 1_000_000_000;
const MAX_COPIED_BYTES = 2_000_000_000;

/** Maximum wait for storage that does not respond; the upload then continues, but a reload cannot resume it. */
const MAX_SAVE_WAIT_MS = 10_000;

interface UploadSchedulerDeps {
  start(input: UploadInput, listener: UploadListener): { stop(): void };
  uploads(): readonly Upload[];
  getFile(id: string): Blob | undefined;
  dispatch(id: string, event: UploadEvent): void;
  /** Resolves once the last change that was saved is stored, or could not be. */
  whenSaved(): Promise<void>;
}

export function createUploadScheduler({ start, uploads, getFile, dispatch, whenSaved }: UploadSchedulerDeps) {
  const transfers = new Map<string, { stop(): void; isForFilesView: boolean }>();
  const hasFreeSlot = (isForFilesView: boolean) =>
    [...transfers.values()].filter((transfer) => transfer.isForFilesView === isForFilesView).length < MAX_PARALLEL_UPLOADS;

  function startTransfer(upload: Upload, file: Blob): void {
    const { id, name, projectId, accountId, url, target } = upload;
    const isForFilesView = isFilesViewUpload(upload);
    // The slot is taken before the start, since a transfer may fail at once.
    transfers.set(id, { stop: () => undefined, isForFilesView });
    dispatch(id, { type: "start" });
    const transfer = start(
      { file, name, projectId, accountId, url, target: target ?? null },
      {
        created(createdUrl) {
          dispatch(id, { type: "created", url: createdUrl });
          const timeout = Promise.withResolvers<void>();
          const timer = setTimeout(timeout.resolve, MAX_SAVE_WAIT_MS);
          return Promise.race([whenSaved(), timeout.promise]).finally(() => clearTimeout(timer));
        },
        progress: (sent) => dispatch(id, { type: "progress", sent }),
        retrying: (reason) => dispatch(id, { type: "retrying", reason }),
        done: (result) => dispatch(id, { type: "done", ...result }),
        failed: (reason) => dispatch(id, { type: "failed", reason }),
        unreadable: () => dispatch(id, { type: "unreadable" }),
      },
    );
    // The transfer may have ended or been stopped while it started.
    if (transfers.has(id)) transfers.set(id, { stop: () => transfer.stop(), isForFilesView });
    else transfer.stop();
  }

  return {
    /** Starts every upload that has a free slot. */
    run() {
      for (const queued of uploads()) {
        if (queued.state !== "queued" || transfers.has(queued.id) || !hasFreeSlot(isFilesViewUpload(queued))) continue;
        // The start of another upload may have changed this one.
        const upload = uploads().find(({ id }) => id === queued.id);
        const file = getFile(queued.id);
        if (upload?.state === "queued" && file) startTransfer(upload, file);
      }
    },
    /** Stops an upload's transfer. */
    stop(id: string) {
      transfers.get(id)?.stop();
      transfers.delete(id);
    },
  };
}

/** Returns the number of bytes that this browser has copied or is about to copy. */
export const cachedByteCount = (uploads: readonly Upload[]): number =>
  uploads.reduce((sum, { isPersisted, state, bytes }) => (isPersisted !== false && state !== "done" && state !== "failed" ? sum + bytes : sum), 0);

/** Returns whether to copy one more file so that a reload can resume its upload; `cachedBytes` are copied already. */
export const shouldCacheBytes = (bytes: number, cachedBytes: number): boolean => bytes <= MAX_COPIED_FILE_BYTES && cachedBytes + bytes <= MAX_COPIED_BYTES;

interface ByteCacheDeps {
  store: Pick<UploadStore, "saveBytes" | "deleteBytes">;
  uploads(): readonly Upload[];
  find(id: string): Upload | undefined;
  dispatch(id: string, event: UploadEvent): void;
}

/** Copies the bytes of uploads into storage, so that a reload can resume them. */
export function createByteCache({ store, uploads, find, dispatch }: ByteCacheDeps) {
  /** Copies of messages' files. */
  const copies = new Map<string, Promise<boolean>>();
  /** Copies a folder's files one by one, because the database would not write them in parallel. */
  let folderCopies: Promise<unknown> = Promise.resolve();
  const isPending = (id: string) => (find(id)?.state ?? "done") !== "done";
  /** Copies the bytes, unless the upload is done and needs no copy. Resolves to false if that failed or the upload was removed. */
  async function copyBytes(id: string, file: Blob): Promise<boolean> {
    if (!isPending(id)) return find(id) !== undefined;
    const isStored = await store.saveBytes(id, file);
    if (isPending(id)) dispatch(id, { type: "bytesStored", isStored });
    // An upload that is done meanwhile needs no copy. A removal has deleted the bytes itself, unless the account needs them later.
    else if (find(id)) void store.deleteBytes(id);
    return isStored && find(id) !== undefined;
  }
  return {
    /** Returns whether to copy the bytes; a message's files are few and are always copied. */
    canCache: (upload: Upload) => !isFilesViewUpload(upload) || shouldCacheBytes(upload.bytes, cachedByteCount(uploads())),
    /** Copies a message's files without waiting for those of a whole folder. */
    scheduleCopy(upload: Upload, file: Blob): void {
      if (isFilesViewUpload(upload)) folderCopies = folderCopies.then(() => copyBytes(upload.id, file));
      else copies.set(upload.id, copyBytes(upload.id, file));
    },
    isPersisted: async (id: string) => (await copies.get(id)) ?? false,
    forget: (id: string) => void copies.delete(id),
  };
}
