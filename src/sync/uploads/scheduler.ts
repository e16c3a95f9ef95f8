/** Schedules uploads as slots are free and retry delays end, and the copies of bytes from which a reload resumes them. */
import type { UploadInput, UploadListener } from "../../api/uploads.ts";
import type { UploadStore } from "./upload-store.ts";
import { isFilesViewUpload, type Upload, type UploadEvent } from "./upload.ts";

/** More parallel uploads would only share the same bandwidth. A message's files and those of folders have separate slots. */
const MAX_PARALLEL_UPLOADS = 3;
/** More parallel copies would only delay the first one. */
const MAX_PARALLEL_COPIES = 3;
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

interface UploadScheduler {
  /** Starts every upload that is due and has a free slot. */
  run(): void;
  /** Stops an upload's transfer or retry delay. */
  stop(id: string): void;
  /** Starts the upload after the delay, unless it is stopped or started before. */
  startAfter(id: string, delayMs: number): void;
}

export function createUploadScheduler({ start, uploads, getFile, dispatch, whenSaved }: UploadSchedulerDeps): UploadScheduler {
  const transfers = new Map<string, { stop(): void; isForFilesView: boolean }>();
  const retryTimers = new Map<string, ReturnType<typeof setTimeout>>();
  const hasFreeSlot = (isForFilesView: boolean) =>
    [...transfers.values()].filter((transfer) => transfer.isForFilesView === isForFilesView).length < MAX_PARALLEL_UPLOADS;

  const find = (id: string) => uploads().find((upload) => upload.id === id);
  // A waiting upload without a timer found no free slot when its delay ended.
  const isDue = ({ id, state }: Upload) => state === "queued" || (state === "waiting" && !retryTimers.has(id));

  function startTransfer(id: string, isForFilesView: boolean): void {
    if (transfers.has(id) || !hasFreeSlot(isForFilesView)) return;
    const upload = find(id);
    const file = getFile(id);
    if (!upload || !file || !isDue(upload)) return;
    // The slot is taken before the start, since a transfer may fail at once.
    transfers.set(id, { stop: () => undefined, isForFilesView });
    dispatch(id, { type: "start" });
    const { name, projectId, accountId, url, target } = upload;
    const transfer = start(
      { file, name, projectId, accountId, url, target: target ?? null },
      {
        created(createdUrl) {
          dispatch(id, { type: "created", url: createdUrl });
          return Promise.race([whenSaved(), new Promise((resolve) => setTimeout(resolve, MAX_SAVE_WAIT_MS))]).then(() => undefined);
        },
        progress: (sent) => dispatch(id, { type: "progress", sent }),
        done: (result) => dispatch(id, { type: "done", ...result }),
        failed: (failure) => dispatch(id, { type: "failure", failure }),
      },
    );
    // The transfer may have ended or been stopped while it started.
    if (transfers.has(id)) transfers.set(id, { stop: () => transfer.stop(), isForFilesView });
    else transfer.stop();
  }

  function run(): void {
    for (const upload of uploads()) if (isDue(upload)) startTransfer(upload.id, isFilesViewUpload(upload));
  }

  return {
    run,
    stop(id) {
      transfers.get(id)?.stop();
      transfers.delete(id);
      clearTimeout(retryTimers.get(id));
      retryTimers.delete(id);
    },
    startAfter(id, delayMs) {
      const resume = () => {
        retryTimers.delete(id);
        run();
      };
      retryTimers.set(id, setTimeout(resume, delayMs));
    },
  };
}

/** Returns the number of bytes that this browser has copied or is about to copy. */
export const cachedByteCount = (uploads: readonly Upload[]): number =>
  uploads.reduce((sum, { isPersisted, state, bytes }) => (isPersisted !== false && state !== "done" && state !== "failed" ? sum + bytes : sum), 0);

/** Returns whether to copy one more file so that a reload can resume its upload; `cachedBytes` are copied already. */
export const shouldCacheBytes = (bytes: number, cachedBytes: number): boolean => bytes <= MAX_COPIED_FILE_BYTES && cachedBytes + bytes <= MAX_COPIED_BYTES;

/** Copies files in the order of the requests, a few in parallel. */
function createByteCopier(copy: (id: string, file: Blob) => Promise<void>): { add(id: string, file: Blob): void } {
  const queue: [string, Blob][] = [];
  let activeCount = 0;
  async function drain(): Promise<void> {
    activeCount += 1;
    for (let next = queue.shift(); next; next = queue.shift()) await copy(...next).catch(() => undefined);
    activeCount -= 1;
  }
  return {
    add(id, file) {
      queue.push([id, file]);
      if (activeCount < MAX_PARALLEL_COPIES) void drain();
    },
  };
}

interface ByteCacheDeps {
  store: Pick<UploadStore, "saveBytes" | "deleteBytes">;
  uploads(): readonly Upload[];
  find(id: string): Upload | undefined;
  dispatch(id: string, event: UploadEvent): void;
}

/** Copies the bytes of uploads into storage, so that a reload can resume them. */
export function createByteCache({ store, uploads, find, dispatch }: ByteCacheDeps) {
  const copies = new Map<string, Promise<boolean>>();
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
  const copier = createByteCopier(async (id, file) => void (await copyBytes(id, file)));
  return {
    /** Returns whether to copy the bytes; a message's files are few and are always copied. */
    canCache: (upload: Upload) => !isFilesViewUpload(upload) || shouldCacheBytes(upload.bytes, cachedByteCount(uploads())),
    /** Copies a message's files without waiting for those of a whole folder. */
    scheduleCopy: (upload: Upload, file: Blob) =>
      isFilesViewUpload(upload) ? copier.add(upload.id, file) : void copies.set(upload.id, copyBytes(upload.id, file)),
    isPersisted: async (id: string) => (await copies.get(id)) ?? false,
    forget: (id: string) => void copies.delete(id),
  };
}
