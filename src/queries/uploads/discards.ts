/** Uploads that were taken away and that the service has still to be told of: kept over reloads, told when it is reached. */
import type { Upload } from "./upload.ts";
import type { UploadStore } from "./upload-store.ts";

export interface DiscardsDeps {
  /** False where the service has to be asked again later. */
  discard(upload: Pick<Upload, "url" | "fileId">): Promise<boolean>;
  store: Pick<UploadStore, "save" | "remove">;
}

export interface Discards {
  /** `release` is called once nothing is left to be told. */
  add(upload: Upload, release: (() => void) | undefined): void;
  has(id: string): boolean;
  /** Tries at once instead of at the end of a pause. */
  wake(): void;
  /** Forgets what others have left. */
  keepOnly(accountId: number): void;
}

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

export function createDiscards({ discard, store }: DiscardsDeps): Discards {
  const open = new Map<string, { upload: Upload; release: (() => void) | undefined }>();
  let pauseMs = FIRST_PAUSE_MS;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let running = false;

  function close(id: string): void {
    const release = open.get(id)?.release;
    open.delete(id);
    void store.remove(id).then(release);
  }

  async function run(): Promise<void> {
    if (running) return;
    clearTimeout(pause);
    running = true;
    for (const [id, { upload }] of open) {
      if (await discard(upload)) {
        close(id);
        pauseMs = FIRST_PAUSE_MS;
      }
    }
    running = false;
    if (open.size === 0) return;
    pause = setTimeout(() => void run(), pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }

  return {
    add(upload, release) {
      store.save({ ...upload, messageId: null, discarded: true });
      open.set(upload.id, { upload, release });
      void run();
    },
    has: (id) => open.has(id),
    wake() {
      pauseMs = FIRST_PAUSE_MS;
      void run();
    },
    keepOnly(accountId) {
      for (const [id, { upload }] of open) if (upload.accountId !== accountId) close(id);
    },
  };
}
