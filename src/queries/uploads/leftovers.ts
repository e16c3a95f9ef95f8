/** What earlier pages and tabs that are gone have left of an account's uploads: taken up here once nobody else carries it. */
import { restoredOf, type Upload } from "./upload.ts";
import type { UploadStore } from "./upload-store.ts";

export interface LeftoversDeps {
  store: Pick<UploadStore, "load" | "read">;
  /** The way to let go of an upload, or null where another tab carries it. */
  hold(id: string): Promise<(() => void) | null>;
  owner(): number | null;
  isKnown(id: string): boolean;
  /** It is this tab's from now on. */
  take(upload: Upload, file: Blob | null, release: () => void): void;
  /** All of them are taken. */
  taken(): void;
}

export interface Leftovers {
  /** Takes up what no other tab carries. Answers what is written down at all; rejects where that cannot be read. */
  takeUp(accountId: number): Promise<ReadonlySet<string>>;
  /** Looks again from now on: a tab may be closed at any time, and its lease ends later than it does. */
  watch(): void;
}

const LOOK_AGAIN_MS = 10_000;

export function createLeftovers({ store, hold, owner, isKnown, take, taken }: LeftoversDeps): Leftovers {
  let pause: ReturnType<typeof setTimeout> | undefined;

  async function takeUp(accountId: number): Promise<ReadonlySet<string>> {
    const there = await store.load(accountId);
    for (const { id } of there) {
      if (isKnown(id)) continue;
      const release = await hold(id);
      if (!release) continue;
      // Who carried it until now may have ended it.
      const kept = await store.read(id).catch(() => null);
      if (!kept || owner() !== accountId || isKnown(id)) release();
      else take(restoredOf(kept.upload, kept.file !== null), kept.file, release);
    }
    taken();
    return new Set(there.map(({ id }) => id));
  }

  return {
    takeUp,
    watch() {
      clearTimeout(pause);
      const look = async () => {
        const accountId = owner();
        if (accountId !== null) await takeUp(accountId).catch(() => undefined);
        // Another account may have begun a round of its own meanwhile.
        clearTimeout(pause);
        pause = setTimeout(() => void look(), LOOK_AGAIN_MS);
      };
      pause = setTimeout(() => void look(), LOOK_AGAIN_MS);
    },
  };
}
