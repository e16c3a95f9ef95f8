/** The upload queue that belongs to a query cache. Its code comes right after the page; what is asked of it before is done then, in its order. */
import type { QueryClient } from "@tanstack/react-query";
import type { Upload } from "./upload.ts";
import type { UploadQueue } from "./queue.ts";

const perClient = new WeakMap<QueryClient, UploadQueue>();
const AGAIN_MS = 2_000;
const NONE: readonly Upload[] = [];

/** `load` is asked again until it succeeds: files that were brought meanwhile must not be lost with it. */
export function createLazyUploads(load: () => Promise<UploadQueue>): UploadQueue {
  let queue: UploadQueue | undefined;
  const listeners = new Set<() => void>();
  const opened: Promise<UploadQueue> = (async () => {
    for (;;) {
      try {
        queue = await load();
        break;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
    queue.onChange(() => listeners.forEach((listener) => listener()));
    return queue;
  })();
  const then = (work: (there: UploadQueue) => void) => (queue ? work(queue) : void opened.then(work));

  return {
    add: (to, chosen) => then((there) => there.add(to, chosen)),
    pause: (id) => then((there) => there.pause(id)),
    resume: (id) => then((there) => there.resume(id)),
    cancel: (id) => then((there) => there.cancel(id)),
    // There is nothing yet that could lack its bytes.
    giveFile: (id, file) => queue?.giveFile(id, file) ?? false,
    claim: (...claim) => then((there) => there.claim(...claim)),
    forget: (ids) => then((there) => there.forget(ids)),
    wake: () => then((there) => there.wake()),
    belongTo: async (accountId) => (await opened).belongTo(accountId),
    adopt: async (wanted) => (await opened).adopt(wanted),
    settle: (messageIds) => then((there) => there.settle(messageIds)),
    keeps: async (id) => (await opened).keeps(id),
    bytesOf: async (id) => (await opened).bytesOf(id),
    fileOf: (id) => queue?.fileOf(id) ?? null,
    uploads: () => queue?.uploads() ?? NONE,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function uploadsOf(client: QueryClient): UploadQueue {
  let queue = perClient.get(client);
  if (queue) return queue;
  queue = createLazyUploads(async () => (await import("./uploads-of.ts")).wiredUploads(client));
  perClient.set(client, queue);
  return queue;
}
