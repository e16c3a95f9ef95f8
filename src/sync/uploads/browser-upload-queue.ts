/** Creates the upload queue of a client and connects it to the browser. */
import type { Client } from "../../client/client.ts";
import { discardUpload, startUpload } from "../../api/uploads.ts";
import { formatSize } from "../../lib/format.ts";
import { acquireLock } from "../../lib/locks.ts";
import { randomId } from "../../lib/random-id.ts";
import { t } from "../../lib/texts/uploads.ts";
import { serviceQueries } from "../../queries/service.ts";
import { tryAcquireNamedLease } from "../outbox/outbox-store.ts";
import { createUploadQueue, type UploadQueue } from "./upload-queue.ts";
import { createUploadStore } from "./upload-store.ts";

export function createBrowserUploadQueue(client: Client): UploadQueue {
  /** A lease only distinguishes tabs, so this set keeps one page from acquiring the same lease twice. */
  const leasedNames = new Set<string>();
  return createUploadQueue({
    start: (input, listener) => startUpload(client.api, input, listener),
    deleteOnService: (upload) => discardUpload(client.api, upload),
    store: createUploadStore(),
    acquireLock: (id) => acquireUploadLock(id, client.tabId, leasedNames),
    validate: (file) => validateFile(file, client.queryClient.getQueryData(serviceQueries.current().queryKey)?.limits["upload_bytes"]),
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

/**
 * Locks an upload for this tab until it is released or the tab closes. Returns the release function, or null when another tab holds the lock. If not
 * even a lease can be stored, no other tab can find the upload, so the lock is granted.
 */
async function acquireUploadLock(id: string, tabId: string, leasedNames: Set<string>): Promise<(() => void) | null> {
  const name = `talkback.upload.${id}`;
  return "locks" in navigator ? acquireLock(name) : acquireLease(name, tabId, leasedNames);
}

async function acquireLease(name: string, tabId: string, leasedNames: Set<string>): Promise<(() => void) | null> {
  if (leasedNames.has(name)) return null;
  leasedNames.add(name);
  const lease = await tryAcquireNamedLease(name, tabId).catch(() => () => undefined);
  if (!lease) leasedNames.delete(name);
  return (
    lease &&
    (() => {
      leasedNames.delete(name);
      void lease();
    })
  );
}
