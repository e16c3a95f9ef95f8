/** Creates the upload queue of a query cache and connects it to the browser. The code that transfers bytes loads with the first file. */
import type { QueryClient } from "@tanstack/react-query";
import type { UploadInput, UploadListener } from "../../api/uploads.ts";
import { formatSize } from "../../lib/format.ts";
import { acquireLock } from "../../lib/locks.ts";
import { randomId } from "../../lib/random-id.ts";
import { t } from "../../lib/texts/uploads.ts";
import { perClient } from "../../queries/query-client.ts";
import { serviceQueries } from "../../queries/service.ts";
import { TAB_ID } from "../tab-id.ts";
import { createUploadQueue } from "./upload-queue.ts";
import { createUploadStore } from "./upload-store.ts";
import type { UploadQueue } from "./upload.ts";

/** Minimum time between two progress updates, because faster changes are unreadable. */
const PROGRESS_INTERVAL_MS = 100;

/** A lease only distinguishes tabs, so this set keeps one page from acquiring the same lease twice. */
const leasedNames = new Set<string>();

export const getUploadQueue = perClient(createBrowserUploadQueue);

function createBrowserUploadQueue(client: QueryClient): UploadQueue {
  return createUploadQueue({
    start,
    deleteOnService: async (upload) => {
      const { discardUpload } = await loadUploadApi().catch(() => ({ discardUpload: async () => false }));
      return discardUpload({ ...upload, target: upload.target ?? null });
    },
    store: createUploadStore(),
    acquireLock: acquireUploadLock,
    validate: (file) => validateFile(file, client.getQueryData(serviceQueries.current().queryKey)?.limits["upload_bytes"]),
    newId: randomId,
    now: Date.now,
  });
}

/**
 * Returns why the file cannot be uploaded, or null. `maxBytes` is undefined while the service's limit is unknown; the service then rejects the
 * file itself.
 */
export function validateFile(file: { size: number }, maxBytes: number | undefined): string | null {
  if (file.size === 0) return t("emptyFile");
  if (maxBytes !== undefined && file.size > maxBytes) return t("tooLarge", { most: formatSize(maxBytes) });
  return null;
}

const loadUploadApi = () => import("../../api/uploads.ts");

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
      if (!stopped) listener.failed({ reason: "unreachable" });
    },
  );
  return {
    stop() {
      stopped = true;
      transfer?.stop();
    },
  };
}

/**
 * Locks an upload for this tab until it is released or the tab closes. Returns the release function, or null when another tab holds the lock. If not
 * even a lease can be stored, no other tab can find the upload, so the lock is granted.
 */
async function acquireUploadLock(id: string): Promise<(() => void) | null> {
  const name = `talkback.upload.${id}`;
  return "locks" in navigator ? acquireLock(name) : acquireLease(name);
}

async function acquireLease(name: string): Promise<(() => void) | null> {
  if (leasedNames.has(name)) return null;
  leasedNames.add(name);
  const lease = await import("../outbox/outbox-store.ts").then(({ tryAcquireNamedLease }) => tryAcquireNamedLease(name, TAB_ID)).catch(() => () => undefined);
  if (!lease) leasedNames.delete(name);
  return (
    lease &&
    (() => {
      leasedNames.delete(name);
      void lease();
    })
  );
}
