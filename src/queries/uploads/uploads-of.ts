/** The upload queue that belongs to a query cache, wired to the browser. */
import type { QueryClient } from "@tanstack/react-query";
import { discardUpload, startUpload, type UploadListener, type UploadWish } from "../../api/uploads.ts";
import { randomId } from "../../lib/random-id.ts";
import { serviceQueries } from "../service/options.ts";
import { refusalOf } from "./admission.ts";
import { holdUpload } from "./ownership.ts";
import { createUploadQueue, type UploadQueue } from "./upload-queue.ts";
import { createUploadStore } from "./upload-store.ts";

const perClient = new WeakMap<QueryClient, UploadQueue>();
/** Faster than this nobody reads a number. */
const PROGRESS_MS = 100;

/** Tells progress at a pace that can be read. */
function start(wish: UploadWish, listener: UploadListener): { stop(): void } {
  let last = 0;
  return startUpload(wish, {
    ...listener,
    progress(sent) {
      const now = performance.now();
      if (now - last < PROGRESS_MS && sent < wish.file.size) return;
      last = now;
      listener.progress(sent);
    },
  });
}

export function uploadsOf(client: QueryClient): UploadQueue {
  let queue = perClient.get(client);
  if (queue) return queue;
  queue = createUploadQueue({
    start,
    discard: discardUpload,
    store: createUploadStore(),
    hold: holdUpload,
    refusal: (file) => refusalOf(file, client.getQueryData(serviceQueries.current().queryKey)?.limits["upload_bytes"]),
    newId: randomId,
    now: Date.now,
  });
  perClient.set(client, queue);
  return queue;
}
