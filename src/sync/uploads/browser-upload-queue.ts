/** Creates the upload queue of a client and connects it to the browser. */
import type { ClientData } from "../../client/client.ts";
import { discardUpload, startUpload } from "../../api/uploads.ts";
import { formatSize } from "../../lib/format.ts";
import type { TabLocks } from "../../lib/locks.ts";
import { randomId } from "../../lib/random-id.ts";
import { t } from "../../lib/texts/uploads.ts";
import { serviceQueries } from "../../queries/service.ts";
import { createUploadQueue, type UploadQueue } from "./upload-queue.ts";
import { createUploadStore } from "./upload-store.ts";

export const createBrowserUploadQueue = ({ api, queryClient }: ClientData, tabLocks: TabLocks): UploadQueue =>
  createUploadQueue({
    start: (input, listener) => startUpload(api, input, listener),
    deleteOnService: (upload) => discardUpload(api, upload),
    // The database of the page's own service has the name that earlier versions of this client gave it.
    store: createUploadStore(api.storageName("talkback.uploads")),
    acquireLock: (id) => tabLocks.acquire(`talkback.upload.${id}`),
    validate: (file) => validateFile(file, queryClient.getQueryData(serviceQueries.current().queryKey)?.limits["upload_bytes"]),
    newId: randomId,
    now: Date.now,
  });

/**
 * Returns why the file cannot be uploaded, or null. `maxBytes` is undefined while the service's limit is unknown; the service then rejects the
 * file itself.
 */
export function validateFile(file: { size: number }, maxBytes: number | undefined): string | null {
  if (file.size === 0) return t("emptyFile");
  if (maxBytes !== undefined && file.size > maxBytes) return t("tooLarge", { most: formatSize(maxBytes) });
  return null;
}
