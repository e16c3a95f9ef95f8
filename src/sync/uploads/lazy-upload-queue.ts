/** Creates the upload queue of a query cache, whose code loads right after the page; earlier calls run in order once it has loaded. */
import type { QueryClient } from "@tanstack/react-query";
import type { Upload, UploadQueue } from "./upload.ts";

const RETRY_DELAY_MS = 2_000;
const NO_UPLOADS: readonly Upload[] = [];

/** Retries `load` until it succeeds, since files added meanwhile must not be lost. */
export function createLazyUploadQueue(load: () => Promise<UploadQueue>): UploadQueue {
  let queue: UploadQueue | undefined;
  const listeners = new Set<() => void>();
  const loadedQueue: Promise<UploadQueue> = (async () => {
    for (;;) {
      try {
        queue = await load();
        break;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
      }
    }
    queue.onChange(() => listeners.forEach((listener) => listener()));
    return queue;
  })();
  const whenLoaded = (work: (uploadQueue: UploadQueue) => void) => (queue ? work(queue) : void loadedQueue.then(work));

  return {
    add: (to, files) => whenLoaded((uploadQueue) => uploadQueue.add(to, files)),
    pause: (id) => whenLoaded((uploadQueue) => uploadQueue.pause(id)),
    resume: (id) => whenLoaded((uploadQueue) => uploadQueue.resume(id)),
    cancel: (...ids) => whenLoaded((uploadQueue) => uploadQueue.cancel(...ids)),
    // Before the queue has loaded, no upload can lack its bytes.
    provideFile: (id, file) => queue?.provideFile(id, file) ?? false,
    claim: (...claim) => whenLoaded((uploadQueue) => uploadQueue.claim(...claim)),
    forget: (ids) => whenLoaded((uploadQueue) => uploadQueue.forget(ids)),
    wake: () => whenLoaded((uploadQueue) => uploadQueue.wake()),
    switchAccount: async (accountId) => (await loadedQueue).switchAccount(accountId),
    recover: async (ids) => (await loadedQueue).recover(ids),
    reconcile: (messageIds) => whenLoaded((uploadQueue) => uploadQueue.reconcile(messageIds)),
    isPersisted: async (id) => (await loadedQueue).isPersisted(id),
    load: async (id) => (await loadedQueue).load(id),
    getFile: (id) => queue?.getFile(id) ?? null,
    uploads: () => queue?.uploads() ?? NO_UPLOADS,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const queues = new WeakMap<QueryClient, UploadQueue>();

export function getUploadQueue(client: QueryClient): UploadQueue {
  let queue = queues.get(client);
  if (queue) return queue;
  queue = createLazyUploadQueue(async () => (await import("./browser-upload-queue.ts")).createBrowserUploadQueue(client));
  queues.set(client, queue);
  return queue;
}
