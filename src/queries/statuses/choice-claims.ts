/** Claims pending status changes for one page: by the browser's locks, which end with their page, or by time where there are none. */
import type { PendingStatusStoreDeps } from "./choice-keeper.ts";

/** A change is sent after seconds, so one that another tab wrote longer ago than this was abandoned. */
const ABANDONED_AFTER_MS = 20_000;

export const createStatusClaims =
  (name: string, tab: string, locks: LockManager | null = globalThis.navigator?.locks ?? null): PendingStatusStoreDeps["claim"] =>
  (id, found) => {
    if (!locks) {
      if (!found) return () => {};
      const { stored, onAcquired } = found;
      // A reload keeps the tab's id.
      const timer = setTimeout(onAcquired, stored.tab === tab ? 0 : Math.max(0, stored.at + ABANDONED_AFTER_MS - Date.now()));
      return () => clearTimeout(timer);
    }
    const abortController = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    locks
      .request(`${name}:${id}`, { signal: abortController.signal }, () => {
        found?.onAcquired();
        return promise;
      })
      .catch(() => undefined);
    return () => {
      abortController.abort();
      resolve();
    };
  };
