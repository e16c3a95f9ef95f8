/** What earlier pages and tabs that are gone have left of an account's uploads: taken up here once nobody else carries it. */
import { restoreUpload, type Upload } from "./upload.ts";
import type { UploadStore } from "./upload-store.ts";

export interface UploadRecoveryDeps {
  store: Pick<UploadStore, "load" | "read">;
  /** The way to let go of an upload, or null where another tab carries it. */
  acquireLock(id: string): Promise<(() => void) | null>;
  owner(): number | null;
  isKnown(id: string): boolean;
  /** It is this tab's from now on. */
  onRecovered(upload: Upload, file: Blob | null, release: () => void): void;
  /** All of them are taken. */
  onRecoveryDone(): void;
}

export interface UploadRecovery {
  /** Takes up what no other tab carries. Answers what is written down at all; rejects where that cannot be read. */
  recover(accountId: number): Promise<ReadonlySet<string>>;
  /** Looks again from now on: a tab may be closed at any time, and its lease ends later than it does. */
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
      // Who carried it until now may have ended it.
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
        // Another account may have begun a round of its own meanwhile.
        clearTimeout(timer);
        timer = setTimeout(() => void poll(), POLL_INTERVAL_MS);
      };
      timer = setTimeout(() => void poll(), POLL_INTERVAL_MS);
    },
  };
}
