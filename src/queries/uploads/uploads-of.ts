/** The upload queue of a query cache, wired to the browser; `lazy-uploads.ts` brings it. */
import type { QueryClient } from "@tanstack/react-query";
import type { UploadListener, UploadWish } from "../../api/uploads.ts";
import { randomId } from "../../lib/random-id.ts";
import { serviceQueries } from "../service/options.ts";
import { refusalOf } from "./admission.ts";
import { holdUpload } from "./ownership.ts";
import type { UploadQueue } from "./queue.ts";
import { createUploadQueue } from "./upload-queue.ts";
import type { UploadStore } from "./upload-store.ts";

/** Faster than this nobody reads a number. */
const PROGRESS_MS = 100;

/** What carries bytes comes with the first file. */
const carrier = () => import("../../api/uploads.ts");

/** In code of its own beside the first load, asked for again where it did not come. */
function lazyStore(): UploadStore {
  let loading: Promise<UploadStore> | undefined;
  const opened = () => {
    loading ??= import("./upload-store.ts").then(({ createUploadStore }) => createUploadStore());
    loading.catch(() => (loading = undefined));
    return loading;
  };
  const then = (work: (store: UploadStore) => void) => void opened().then(work, () => undefined);
  return {
    load: async (accountId) => (await opened()).load(accountId),
    read: async (id) => (await opened()).read(id),
    save: (upload) => then((store) => store.save(upload)),
    saveAll: (uploads) => then((store) => store.saveAll(uploads)),
    keepBytes: (id, file) =>
      opened().then(
        (store) => store.keepBytes(id, file),
        () => false,
      ),
    forgetBytes: (id) => then((store) => store.forgetBytes(id)),
    remove: (id) =>
      opened().then(
        (store) => store.remove(id),
        () => undefined,
      ),
    removeOthers: (accountId) => then((store) => store.removeOthers(accountId)),
  };
}

/** Tells progress at a pace that can be read. */
function start(wish: UploadWish, listener: UploadListener): { stop(): void } {
  let last = 0;
  let stopped = false;
  let transfer: { stop(): void } | undefined;
  const paced: UploadListener = {
    ...listener,
    progress(sent) {
      const now = performance.now();
      if (now - last < PROGRESS_MS && sent < wish.file.size) return;
      last = now;
      listener.progress(sent);
    },
  };
  carrier().then(
    ({ startUpload }) => {
      if (!stopped) transfer = startUpload(wish, paced);
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

export function wiredUploads(client: QueryClient): UploadQueue {
  return createUploadQueue({
    start,
    discard: async (upload) => {
      const { discardUpload } = await carrier().catch(() => ({ discardUpload: async () => false }));
      return discardUpload({ ...upload, target: upload.target ?? null });
    },
    store: lazyStore(),
    hold: holdUpload,
    refusal: (file) => refusalOf(file, client.getQueryData(serviceQueries.current().queryKey)?.limits["upload_bytes"]),
    newId: randomId,
    now: Date.now,
  });
}
