/** Recovers an account's uploads from earlier pages and closed tabs once no tab holds them, and deletes canceled uploads at the service. */
import type { UploadStore } from "./upload-store.ts";
import { restoreUpload, type Upload } from "./upload.ts";

const POLL_INTERVAL_MS = 10_000;
const INITIAL_RETRY_DELAY_MS = 2_000;
const MAX_RETRY_DELAY_MS = 60_000;

interface UploadRecoveryDeps {
  store: Pick<UploadStore, "load" | "read">;
  /** Returns the release function, or null when another tab holds the upload's lock. */
  acquireLock(id: string): Promise<(() => void) | null>;
  owner(): number | null;
  isKnown(id: string): boolean;
  /** Called with an upload that belongs to this tab from now on. */
  onRecovered(upload: Upload, file: Blob | null, release: () => void): void;
  /** Called after all available uploads have been recovered. */
  onRecoveryDone(): void;
}

interface UploadRecovery {
  /** Recovers the uploads that no other tab holds. Returns the ids of all stored uploads; rejects when storage cannot be read. */
  recover(accountId: number): Promise<ReadonlySet<string>>;
  /** Recovers repeatedly from now on, since a tab may close at any time and its lease ends later than the tab. */
  watch(): void;
  stop(): void;
}

export function createUploadRecovery({ store, acquireLock, owner, isKnown, onRecovered, onRecoveryDone }: UploadRecoveryDeps): UploadRecovery {
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function recover(accountId: number): Promise<ReadonlySet<string>> {
    const storedUploads = await store.load(accountId);
    for (const { id } of storedUploads) {
      if (isKnown(id)) continue;
      const release = await acquireLock(id);
      if (!release) continue;
      // The previous holder may have finished it.
      const stored = await store.read(id).catch(() => null);
      if (!stored || owner() !== accountId || isKnown(id)) release();
      else onRecovered(restoreUpload(stored.upload, stored.file !== null), stored.file, release);
    }
    onRecoveryDone();
    return new Set(storedUploads.map(({ id }) => id));
  }

  return {
    recover,
    watch() {
      clearTimeout(timer);
      const poll = async () => {
        const accountId = owner();
        if (accountId === null) return;
        await recover(accountId).catch(() => undefined);
        // Another account may have started its own polling meanwhile.
        clearTimeout(timer);
        timer = setTimeout(() => void poll(), POLL_INTERVAL_MS);
      };
      timer = setTimeout(() => void poll(), POLL_INTERVAL_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

interface PendingDeletesDeps {
  /** Resolves to false when the service must be asked again later. */
  deleteOnService(upload: Pick<Upload, "url" | "fileId">): Promise<boolean>;
  store: Pick<UploadStore, "save" | "remove">;
}

interface PendingDeletes {
  /** `release` is called once nothing is left to delete. */
  add(upload: Upload, release: (() => void) | undefined): void;
  has(id: string): boolean;
  /** Retries at once instead of after the current delay. */
  wake(): void;
  /** Drops the pending deletes of other accounts. */
  retainAccount(accountId: number): void;
  /** Ends the retries; what is not deleted yet stays stored. */
  stop(): void;
}

/** Creates the list of deletes to send, which survives reloads and is retried until the service is reached. */
export function createPendingDeletes({ deleteOnService, store }: PendingDeletesDeps): PendingDeletes {
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
      if (await deleteOnService(upload)) {
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
      void store.save({ ...upload, messageId: null, isCanceled: true });
      pending.set(upload.id, { upload, release });
      void run();
    },
    has: (id) => pending.has(id),
    wake() {
      retryDelayMs = INITIAL_RETRY_DELAY_MS;
      void run();
    },
    stop() {
      clearTimeout(retryTimer);
      pending.clear();
    },
    retainAccount(accountId) {
      for (const [id, { upload }] of pending) if (upload.accountId !== accountId) complete(id);
    },
  };
}
