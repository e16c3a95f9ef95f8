import type { UploadListener, UploadInput } from "../../api/uploads.ts";
import { createUploadQueue } from "./upload-queue.ts";
import type { Upload, UploadTarget } from "./upload.ts";

export interface StoredUpload {
  upload: Upload;
  file: Blob | null;
}

interface TestQueueOptions {
  /** The uploads that an earlier page left in the browser. */
  storedUploads?: StoredUpload[];
  /** While it is on, storage cannot be read. */
  readError?: { isOn: boolean };
  isStorageFull?: boolean;
  /** The time, which otherwise counts the uploads. */
  now?: number;
}

/** Creates an upload queue for tests, with transfers that the test ends by itself and storage in memory. */
export function createTestQueue({ storedUploads = [], readError = { isOn: false }, isStorageFull = false, now }: TestQueueOptions = {}) {
  const running: { input: UploadInput; listener: UploadListener; stopped: boolean }[] = [];
  const stored = new Map<string, Upload>();
  const bytes = new Set<string>();
  const deleted: (string | number | null)[] = [];
  /** While it is off, deletes do not reach the service. */
  const connection = { isOn: true };
  const lockedIds = new Set<string>();
  /** Runs between the request for an upload's lock and its acquisition. */
  const onAcquire = { run: () => undefined as void };
  /** Set to a promise to hold the saves of uploads. */
  const slowSave = { until: undefined as Promise<void> | undefined };
  /** Set to a promise to hold the copies of bytes. */
  const slowCopy = { until: undefined as Promise<void> | undefined };
  let ids = 0;
  const queue = createUploadQueue({
    start(input, listener) {
      const transfer = { input, listener, stopped: false };
      running.push(transfer);
      return { stop: () => void (transfer.stopped = true) };
    },
    async deleteOnService({ url, fileId }) {
      deleted.push(fileId ?? url);
      return connection.isOn;
    },
    store: {
      async load(accountId) {
        if (readError.isOn) throw new Error("IndexedDB");
        return storedUploads.map(({ upload }) => upload).filter((upload) => upload.accountId === accountId);
      },
      read: async (id) => storedUploads.find(({ upload }) => upload.id === id) ?? null,
      async save(upload) {
        if (slowSave.until) await slowSave.until;
        stored.set(upload.id, upload);
      },
      saveAll: (all) => all.forEach((upload) => stored.set(upload.id, upload)),
      saveBytes: async (id) => {
        if (slowCopy.until) await slowCopy.until;
        if (!isStorageFull) bytes.add(id);
        return !isStorageFull;
      },
      deleteBytes: async (id) => void bytes.delete(id),
      async remove(id) {
        // As in IndexedDB, where transactions over the same store run in order.
        if (slowCopy.until) await slowCopy.until;
        const index = storedUploads.findIndex(({ upload }) => upload.id === id);
        if (index >= 0) storedUploads.splice(index, 1);
        stored.delete(id);
        bytes.delete(id);
      },
      removeUnneeded: async () => undefined,
      close: () => undefined,
    },
    async acquireLock(id) {
      if (lockedIds.has(id)) return null;
      lockedIds.add(id);
      onAcquire.run();
      return () => void lockedIds.delete(id);
    },
    validate: (file) => (file.size === 0 ? "empty" : null),
    newId: () => `u${(ids += 1)}`,
    now: () => now ?? ids,
  });
  /** Adds files with this target, given by name or by name and size in bytes. */
  const addTo = (target: UploadTarget | null, ...names: (string | [name: string, size: number])[]) =>
    queue.add(
      { accountId: 1, projectId: 1 },
      names.map((item) => ({ file: typeof item === "string" ? new File(["bytes"], item) : fileOfSize(...item), target })),
    );
  /** Adds files to the tray of the next message. */
  const add = (...names: string[]) => addTo(null, ...names);
  const states = () => queue.uploads().map(({ name, state }) => `${name} ${state}`);
  const active = () => running.filter(({ stopped }) => !stopped).map(({ input }) => input.name);
  return { queue, running, stored, bytes, deleted, connection, lockedIds, onAcquire, slowSave, slowCopy, add, addTo, states, active };
}

/** Makes a file that claims a size without holding that many bytes. */
const fileOfSize = (name: string, size: number) => Object.defineProperty(new File([], name), "size", { value: size });
