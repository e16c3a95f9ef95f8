/** Deletes canceled uploads at the service: pending deletes are persisted across reloads and retried until the service is reached. */
import type { Upload } from "./upload.ts";
import type { UploadStore } from "./upload-store.ts";

export interface PendingDeletesDeps {
  /** Resolves to false when the service must be asked again later. */
  discard(upload: Pick<Upload, "url" | "fileId">): Promise<boolean>;
  store: Pick<UploadStore, "save" | "remove">;
}

export interface PendingDeletes {
  /** `release` is called once nothing is left to delete. */
  add(upload: Upload, release: (() => void) | undefined): void;
  has(id: string): boolean;
  /** Retries at once instead of after the current delay. */
  wake(): void;
  /** Drops the pending deletes of other accounts. */
  retainAccount(accountId: number): void;
}

const INITIAL_RETRY_DELAY_MS = 2_000;
const MAX_RETRY_DELAY_MS = 60_000;

export function createPendingDeletes({ discard, store }: PendingDeletesDeps): PendingDeletes {
  const pending = new Map<string, { upload: Upload; release: (() => void) | undefined }>();
  let retryDelayMs = INITIAL_RETRY_DELAY_MS;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;

  function complete(id: string): void {
    const release = pending.get(id)?.release;
    pending.delete(id);
    void store.remove(id).then(release);
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    clearTimeout(retryTimer);
    isRunning = true;
    for (const [id, { upload }] of pending) {
      if (await discard(upload)) {
        complete(id);
        retryDelayMs = INITIAL_RETRY_DELAY_MS;
      }
    }
    isRunning = false;
    if (pending.size === 0) return;
    retryTimer = setTimeout(() => void run(), retryDelayMs);
    retryDelayMs = Math.min(retryDelayMs * 2, MAX_RETRY_DELAY_MS);
  }

  return {
    add(upload, release) {
      store.save({ ...upload, messageId: null, discarded: true });
      pending.set(upload.id, { upload, release });
      void run();
    },
    has: (id) => pending.has(id),
    wake() {
      retryDelayMs = INITIAL_RETRY_DELAY_MS;
      void run();
    },
    retainAccount(accountId) {
      for (const [id, { upload }] of pending) if (upload.accountId !== accountId) complete(id);
    },
  };
}
