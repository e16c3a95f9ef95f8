/** Deletes canceled uploads at the service. */
import type { UploadStore } from "./upload-store.ts";
import type { Upload } from "./upload.ts";

interface PendingDeletesDeps {
  /** Resolves to false when the service must be asked again later. */
  deleteOnService(upload: Pick<Upload, "url" | "fileId">): Promise<boolean>;
  store: Pick<UploadStore, "save" | "remove">;
}

/** Creates the list of deletes to send, which survives reloads and is retried until the service is reached. */
export function createPendingDeletes({ deleteOnService, store }: PendingDeletesDeps) {
  const pending = new Map<string, { upload: Upload; release: (() => void) | undefined }>();
  let isRunning = false;

  function complete(id: string): void {
    const release = pending.get(id)?.release;
    pending.delete(id);
    void store.remove(id).then(release);
  }

  /** Sends the deletes that are pending. */
  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (const [id, { upload }] of pending) if (await deleteOnService(upload)) complete(id);
    isRunning = false;
  }

  return {
    run,
    /** `release` is called once nothing is left to delete. */
    add(upload: Upload, release: (() => void) | undefined) {
      void store.save({ ...upload, messageId: null, isCanceled: true });
      pending.set(upload.id, { upload, release });
      void run();
    },
    has: (id: string) => pending.has(id),
    /** Drops the pending deletes of other accounts. */
    retainAccount(accountId: number) {
      for (const [id, { upload }] of pending) if (upload.accountId !== accountId) complete(id);
    },
    /** Releases the uploads; their deletes stay stored for the next page. */
    close() {
      for (const { release } of pending.values()) release?.();
      pending.clear();
    },
  };
}
