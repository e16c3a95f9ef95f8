/** Recovers an account's uploads from earlier pages and closed tabs once no tab holds them. */
import { restoreUpload, type Upload } from "./upload.ts";
import type { UploadStore } from "./upload-store.ts";

export interface UploadRecoveryDeps {
  store: Pick<UploadStore, "load" | "read">;
  /** Returns the release function, or null when another tab carries the upload. */
  acquireLock(id: string): Promise<(() => void) | null>;
  owner(): number | null;
  isKnown(id: string): boolean;
  /** Called with an upload that belongs to this tab from now on. */
  onRecovered(upload: Upload, file: Blob | null, release: () => void): void;
  /** Called after all available uploads have been recovered. */
  onRecoveryDone(): void;
}

export interface UploadRecovery {
  /** Recovers what no other tab carries. Returns the ids of all stored uploads; rejects when storage cannot be read. */
  recover(accountId: number): Promise<ReadonlySet<string>>;
  /** Recovers repeatedly from now on, since a tab may close at any time and its lease ends later than the tab. */
  watch(): void;
}

const POLL_INTERVAL_MS = 10_000;

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
        if (accountId !== null) await recover(accountId).catch(() => undefined);
        // Another account may have started its own polling meanwhile.
        clearTimeout(timer);
        timer = setTimeout(() => void poll(), POLL_INTERVAL_MS);
      };
      timer = setTimeout(() => void poll(), POLL_INTERVAL_MS);
    },
  };
}
