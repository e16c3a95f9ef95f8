/** Creates the upload queue of a query cache and connects it to the browser; `lazy-uploads.ts` loads this module. */
import type { QueryClient } from "@tanstack/react-query";
import type { UploadListener, UploadInput } from "../../api/uploads.ts";
import { randomId } from "../../lib/random-id.ts";
import { serviceQueries } from "../service/options.ts";
import { validateFile } from "./admission.ts";
import { acquireUploadLock } from "./ownership.ts";
import type { UploadQueue } from "./queue.ts";
import { createUploadQueue } from "./upload-queue.ts";
import type { UploadStore } from "./upload-store.ts";

/** Progress that changes faster is unreadable. */
const PROGRESS_INTERVAL_MS = 100;

/** The module that transfers bytes loads with the first file. */
const loadUploadApi = () => import("../../api/uploads.ts");

/** Loads the store in a module of its own, and imports it again after a failure. */
function createLazyStore(): UploadStore {
  let loading: Promise<UploadStore> | undefined;
  const loadStore = () => {
    loading ??= import("./upload-store.ts").then(({ createUploadStore }) => createUploadStore());
    loading.catch(() => (loading = undefined));
    return loading;
  };
  const whenLoaded = (work: (store: UploadStore) => void) => void loadStore().then(work, () => undefined);
  return {
    load: async (accountId) => (await loadStore()).load(accountId),
    read: async (id) => (await loadStore()).read(id),
    save: (upload) => whenLoaded((store) => store.save(upload)),
    saveAll: (uploads) => whenLoaded((store) => store.saveAll(uploads)),
    saveBytes: (id, file) =>
      loadStore().then(
        (store) => store.saveBytes(id, file),
        () => false,
      ),
    deleteBytes: (id) => whenLoaded((store) => store.deleteBytes(id)),
    remove: (id) =>
      loadStore().then(
        (store) => store.remove(id),
        () => undefined,
      ),
    removeOtherAccounts: (accountId) => whenLoaded((store) => store.removeOtherAccounts(accountId)),
  };
}

/** Starts an upload and throttles its progress to a readable rate. */
function start(input: UploadInput, listener: UploadListener): { stop(): void } {
  let lastReportedAt = 0;
  let stopped = false;
  let transfer: { stop(): void } | undefined;
  const throttled: UploadListener = {
    ...listener,
    progress(sent) {
      const now = performance.now();
      if (now - lastReportedAt < PROGRESS_INTERVAL_MS && sent < input.file.size) return;
      lastReportedAt = now;
      listener.progress(sent);
    },
  };
  loadUploadApi().then(
    ({ startUpload }) => {
      if (!stopped) transfer = startUpload(input, throttled);
    },
    () => {
      if (!stopped) listener.failed({ reason: "away" });
    },
  );
  return {
    stop() {
      stopped = true;
      transfer?.stop();
    },
  };
}

export function createBrowserUploadQueue(client: QueryClient): UploadQueue {
  return createUploadQueue({
    start,
    discard: async (upload) => {
      const { discardUpload } = await loadUploadApi().catch(() => ({ discardUpload: async () => false }));
      return discardUpload({ ...upload, target: upload.target ?? null });
    },
    store: createLazyStore(),
    acquireLock: acquireUploadLock,
    validate: (file) => validateFile(file, client.getQueryData(serviceQueries.current().queryKey)?.limits["upload_bytes"]),
    newId: randomId,
    current: Date.now,
  });
}
